import { S3ServiceException } from '@aws-sdk/client-s3'
import { adviceFor, explained, refusalOptions, retryOf } from '../answer-status.ts'
import { SinkError } from '../sink.ts'
import { refusedBy } from './foreign.ts'
import type { S3Settings } from './settings.ts'

/**
 * Errors of 4xx that may disappear: a request that broke in transit, a multipart upload that was aborted, a conflict.
 * @source Amazon S3 API reference, "Error responses"
 */
const passing = new Set(['BadDigest', 'IncompleteBody', 'InvalidPart', 'NoSuchUpload', 'RequestTimeout'])

/** S3's errors in plain words, with advice. */
export function sinkErrorOf(error: unknown, settings: S3Settings, path: string): SinkError {
  if (error instanceof SinkError) return error
  const at = serverName(settings)
  const name = error instanceof Error ? error.name : 'unknown'
  // A server's error is not used as `cause`: it may repeat the request.
  if (error instanceof S3ServiceException) return refusal(error, at, settings, path)
  if (name === 'CredentialsProviderError')
    return new SinkError(
      'no-credentials',
      // The machine's credential service may be unavailable for a moment.
      'later',
      'no AWS credentials were found: put access-key-id and secret-access-key into destination_conf, or set them in the environment of Sluice',
      { cause: error, step: 'authenticate' },
    )
  if (name === 'AbortError' || name === 'TimeoutError')
    return new SinkError('timeout', 'later', `${at} does not answer the request`, { cause: error })
  const { $response: answer } = error as {
    $response?: { statusCode: number; headers: Record<string, string> }
  }
  if (answer !== undefined && answer.statusCode >= 300)
    return refusedBy({ status: answer.statusCode, headers: answer.headers }, at)
  return new SinkError('broken-answer', 'later', `${at} gave an answer that is not S3's`)
}

/** The server's name in messages. */
export function serverName({ endpoint, region }: S3Settings): string {
  return endpoint === undefined ? `Amazon S3 in ${region}` : new URL(endpoint).host
}

/** HTTP status of a failed request. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof SinkError) return error.status
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

/** Whether the refusal has `Retry-After`. */
export function asksForDelay(error: unknown): boolean {
  if (error instanceof SinkError) return error.retryAfterMs !== undefined
  return error instanceof S3ServiceException && error.$response?.headers['retry-after'] !== undefined
}

function refusal(error: S3ServiceException, at: string, settings: S3Settings, path: string): SinkError {
  const { name, $metadata, $response } = error
  const status = $metadata.httpStatusCode ?? 0
  const code = isCode(name, settings) ? name : undefined
  // The machine's credentials are renewed by their issuer.
  const renewed = settings.credentials === undefined && /^(?:ExpiredToken|InvalidToken)$/.test(name)
  return new SinkError(
    code ?? `status-${status}`,
    // Below 300: a success status followed by an error, as at the end of a multipart upload.
    status < 300 || renewed || passing.has(name) ? 'later' : retryOf(status),
    `${at} answered ${status}${code === undefined ? '' : ` ${code}`}${advice(name, status, settings, path)}`,
    refusalOptions({ status, headers: $response?.headers ?? {} }),
  )
}

/** The name comes from the server, which may repeat the request in it. */
function isCode(name: string, { credentials }: S3Settings): boolean {
  const { accessKeyId, secretAccessKey } = credentials ?? {}
  if (!/^[A-Za-z0-9.]{1,64}$/.test(name)) return false
  return ![accessKeyId, secretAccessKey].some(secret => secret !== undefined && name.includes(secret))
}

function advice(name: string, status: number, { bucket, region }: S3Settings, path: string): string {
  switch (name) {
    case 'AccessDenied':
      return `: the credentials lack the permission s3:PutObject on arn:aws:s3:::${bucket}/${path}, or the bucket's policy forbids it`
    case 'NoSuchBucket':
      return `: there is no bucket ${bucket}`
    case 'InvalidAccessKeyId':
      return ': there is no such access-key-id'
    case 'SignatureDoesNotMatch':
      return ': the secret-access-key does not fit the access-key-id'
    case 'ExpiredToken':
    case 'InvalidToken':
      return ': the credentials have expired'
    case 'RequestTimeTooSkewed':
      return ': the clock of this machine is wrong'
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return `: the bucket is in a region other than ${region}`
    case 'SlowDown':
    case 'ServiceUnavailable':
      return ': the server is busy'
    default:
      return explained(adviceFor(status))
  }
}
