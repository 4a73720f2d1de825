import type { Reach } from '../../../model/settings/index.ts'
import { adviceFor, explained, foreignAnswer, isPage, refusalOptions, retryOf } from '../answer-status.ts'
import { destinationLimits } from '../limits.ts'
import { type Answer, openOutgoing } from '../outgoing.ts'
import { NameTakenError, type Sink, SinkError } from '../sink.ts'
import { googleToken } from './credentials.ts'

/** A bucket and the address of Cloud Storage's JSON API. */
export interface GsSettings {
  readonly bucket: string
  /** `https://storage.googleapis.com` */
  readonly api: string
}

/**
 * Objects in Google Cloud Storage. A batch is written on the condition that there is no object of that name, so a
 * second attempt changes nothing.
 * @source Google Cloud Storage JSON API, "Objects: insert", preconditions
 */
export function openGs({ bucket, api }: GsSettings, reach: Reach): Sink {
  const outgoing = openOutgoing(reach)
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: Uint8Array | undefined,
    type: string,
    signal: AbortSignal,
    bytesMax = destinationLimits.objectAnswerBytesMax,
  ) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(destinationLimits.objectMs)])
    const content = body === undefined ? {} : { body }
    const withToken = (token: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      }
      return outgoing.send(
        { method, origin: api, path, headers, ...content, answerBytesMax: bytesMax },
        bounded,
      )
    }
    const token = await googleToken(outgoing, bounded)
    const answer = await withToken(token)
    // The cached token may have been revoked.
    return answer.status === 401 ? withToken(await googleToken(outgoing, bounded, token)) : answer
  }
  const write = async (name: string, body: Uint8Array, type: string, once: boolean, signal: AbortSignal) => {
    const query = new URLSearchParams({
      uploadType: 'media',
      name,
      ...(once ? { ifGenerationMatch: '0' } : {}),
    })
    const answer = await call('POST', `/upload/storage/v1/b/${bucket}/o?${query}`, body, type, signal)
    if (once && answer.status === 412) throw new NameTakenError(name, answer.status)
    if (answer.status < 300) {
      if (answer.status === 200 && isResource(answer)) return answer.status
      throw foreignAnswer(answer, new URL(api).host, "the object's resource")
    }
    throw refusal(answer, bucket)
  }
  const objectOf = (name: string) => `/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}`
  return {
    reusable: true,
    put: (batch, signal) => write(batch.path, batch.content, batch.contentType, true, signal),
    async probe(batch, signal) {
      await write(batch.path, batch.content, batch.contentType, true, signal)
      // Best effort: an account that may only create objects is sufficient.
      await call('DELETE', objectOf(batch.path), undefined, '', signal).catch(() => {})
    },
    async leave(path, text, signal) {
      await write(path, Buffer.from(text), 'text/plain', false, signal)
    },
    async read(path, bytesMax, signal) {
      const answer = await call('GET', `${objectOf(path)}?alt=media`, undefined, '', signal, bytesMax)
      if (answer.status === 403 || (answer.status === 200 && !answer.whole)) return undefined
      if (answer.status !== 200) throw refusal(answer, bucket)
      return answer.body
    },
    close: () => outgoing.close(),
  }
}

/** @source Cloud Storage JSON API, "Objects": the resource names the object and its generation */
function isResource({ body }: Answer): boolean {
  return /"generation"\s*:/.test(body.toString('utf8')) && !isPage({ body })
}

function refusal(answer: Answer, bucket: string): SinkError {
  const { status } = answer
  return new SinkError(
    `status-${status}`,
    retryOf(status),
    `Google Cloud Storage answered ${status}${advice(status, bucket)}`,
    refusalOptions(answer),
  )
}

function advice(status: number, bucket: string): string {
  switch (status) {
    case 401:
      return ': the token was refused'
    case 403:
      return `: the account lacks storage.objects.create on the bucket ${bucket}; give it the role Storage Object Creator`
    case 404:
      return `: there is no bucket ${bucket}`
    default:
      return explained(adviceFor(status))
  }
}
