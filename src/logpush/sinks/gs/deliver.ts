import type { DestinationReach } from '../../../model/settings.ts'
import { type Answer, openOutgoing } from '../../outgoing.ts'
import { refusalOptions, retryOf } from '../answer-status.ts'
import { type Sink, SinkError } from '../sink.ts'
import { googleToken } from './credentials.ts'

const requestTimeoutMs = 120_000

/** A bucket and where Cloud Storage's JSON API is. */
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
export function openGs({ bucket, api }: GsSettings, reach: DestinationReach): Sink {
  const outgoing = openOutgoing(reach)
  const call = async (
    method: 'POST' | 'DELETE',
    path: string,
    body: Uint8Array | undefined,
    type: string,
    signal: AbortSignal,
  ) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)])
    const content = body === undefined ? {} : { body }
    const withToken = (token: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      }
      return outgoing.send({ method, origin: api, path, headers, ...content }, bounded)
    }
    const token = await googleToken(outgoing, bounded)
    const answer = await withToken(token)
    // The one that was kept may have been revoked.
    return answer.status === 401 ? withToken(await googleToken(outgoing, bounded, token)) : answer
  }
  const write = async (name: string, body: Uint8Array, type: string, once: boolean, signal: AbortSignal) => {
    const query = new URLSearchParams({
      uploadType: 'media',
      name,
      ...(once ? { ifGenerationMatch: '0' } : {}),
    })
    const answer = await call('POST', `/upload/storage/v1/b/${bucket}/o?${query}`, body, type, signal)
    if (answer.status === 200 || (once && answer.status === 412)) return answer.status
    throw refusal(answer, bucket)
  }
  return {
    put: (batch, signal) => write(batch.path, batch.gzip, 'application/gzip', true, signal),
    async probe(batch, signal) {
      await write(batch.path, batch.gzip, 'application/gzip', true, signal)
      const path = `/storage/v1/b/${bucket}/o/${encodeURIComponent(batch.path)}`
      // A courtesy: an account that may only create is a good one.
      await call('DELETE', path, undefined, '', signal).catch(() => {})
    },
    async leave(path, text, signal) {
      await write(path, Buffer.from(text), 'text/plain', false, signal)
    },
    close: () => outgoing.close(),
  }
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
      return ': the token is not taken'
    case 403:
      return `: the account lacks storage.objects.create on the bucket ${bucket}; give it the role Storage Object Creator`
    case 404:
      return `: there is no bucket ${bucket}`
    default:
      return ''
  }
}
