import { adviceFor, explained, foreignAnswer, isPage, refusalOptions, retryOf } from '../answer-status.ts'
import type { Answer, OutgoingRequest } from '../outgoing.ts'
import { SinkError } from '../sink.ts'

/**
 * Recognises an answer that does not come from S3 itself, but from a proxy, a gateway or a login page. Its status and
 * headers are used as they are.
 * @param at the server's name in messages
 * @returns undefined for an answer of S3
 */
export function foreignProblem(
  method: OutgoingRequest['method'],
  answer: Answer,
  at: string,
): SinkError | undefined {
  const { status } = answer
  if (status < 300) return isSuccess(method, answer) ? undefined : foreignAnswer(answer, at, expected(method))
  return /<Error[\s>][\s\S]*<Code>/.test(answer.body.toString('utf8')) ? undefined : refusedBy(answer, at)
}

/** A refusal that S3's own codes do not explain. */
export function refusedBy(answer: Pick<Answer, 'status' | 'headers'>, at: string): SinkError {
  const { status } = answer
  return new SinkError(
    `status-${status}`,
    retryOf(status),
    `${at} answered ${status}${explained(adviceFor(status))}`,
    refusalOptions(answer),
  )
}

/**
 * Written objects and parts are answered without a page (some servers send a body, or no ETag). The begin and end of
 * a multipart upload have a result.
 * @source Amazon S3 API reference, "PutObject", "UploadPart", "CreateMultipartUpload", "CompleteMultipartUpload"
 */
function isSuccess(method: OutgoingRequest['method'], answer: Answer): boolean {
  const { headers, body } = answer
  if (method === 'PUT') return body.length === 0 || (!isPage(answer) && !isHtml(headers))
  // A multipart upload may end with an error after its success status.
  if (method === 'POST') return /<(?:\w+Result|Error)[\s>]/.test(body.toString('utf8'))
  return !isPage(answer)
}

function isHtml(headers: Answer['headers']): boolean {
  return /html/i.test(headers['content-type'] ?? '')
}

function expected(method: OutgoingRequest['method']): string {
  return method === 'PUT' ? "S3's empty answer" : "S3's own result"
}
