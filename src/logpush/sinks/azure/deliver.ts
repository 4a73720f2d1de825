import type { Reach } from '../../../model/settings/index.ts'
import { adviceFor, explained, foreignAnswer, refusalOptions, retryOf } from '../answer-status.ts'
import { destinationLimits } from '../limits.ts'
import { type Answer, openOutgoing } from '../outgoing.ts'
import { NameTakenError, type Sink, SinkError } from '../sink.ts'
import type { AzureSettings } from './settings.ts'

const serviceVersion = '2021-08-06'

/**
 * Block blobs. A batch is written on the condition that there is no blob of that name, so a replay changes nothing.
 * @source Azure Storage REST API, "Put Blob", "Specifying conditional headers"
 */
export function openAzure(settings: AzureSettings, reach: Reach): Sink {
  const { origin, container, signature } = settings
  const outgoing = openOutgoing(reach)
  const call = (
    method: 'GET' | 'PUT' | 'DELETE',
    name: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array | undefined,
    signal: AbortSignal,
    answerBytesMax?: number,
  ) => {
    const path = `${container}/${name.split('/').map(encodeURIComponent).join('/')}?${signature}`
    const all = { 'x-ms-version': serviceVersion, 'x-ms-date': new Date().toUTCString(), ...headers }
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(destinationLimits.objectMs)])
    const content = body === undefined ? {} : { body }
    const wanted = answerBytesMax === undefined ? {} : { answerBytesMax }
    return outgoing.send({ method, origin, path, headers: all, ...content, ...wanted }, bounded)
  }
  const write = async (name: string, body: Uint8Array, type: string, once: boolean, signal: AbortSignal) => {
    const headers = {
      'x-ms-blob-type': 'BlockBlob',
      'content-type': type,
      ...(once ? { 'if-none-match': '*' } : {}),
    }
    const answer = await call('PUT', name, headers, body, signal)
    const code = answer.headers['x-ms-error-code'] ?? ''
    if (answer.status === 201) return answer.status
    if (once && (code === 'BlobAlreadyExists' || answer.status === 412))
      throw new NameTakenError(name, answer.status)
    if (answer.status < 300) throw foreignAnswer(answer, new URL(origin).host, 'the 201 of Azure')
    throw refusal(answer, code, settings)
  }
  return {
    reusable: true,
    put: (batch, signal) => write(batch.path, batch.content, batch.contentType, true, signal),
    async probe(batch, signal) {
      await write(batch.path, batch.content, batch.contentType, true, signal)
      // Best effort: a signature that may only write is sufficient.
      await call('DELETE', batch.path, {}, undefined, signal).catch(() => {})
    },
    async leave(path, text, signal) {
      await write(path, Buffer.from(text), 'text/plain', false, signal)
    },
    async read(path, bytesMax, signal) {
      const answer = await call('GET', path, {}, undefined, signal, bytesMax)
      if (answer.status === 403 || (answer.status === 200 && !answer.whole)) return undefined
      if (answer.status !== 200) throw refusal(answer, answer.headers['x-ms-error-code'] ?? '', settings)
      return answer.body
    },
    close: () => outgoing.close(),
  }
}

function refusal(answer: Answer, code: string, settings: AzureSettings): SinkError {
  const { status } = answer
  // A server may return any text, including the request.
  const known = /^[A-Za-z]{1,64}$/.test(code) && !settings.signature.includes(code)
  const shown = known ? ` ${code}` : ''
  return new SinkError(
    shown === '' ? `status-${status}` : code,
    retryOf(status),
    `${new URL(settings.origin).host} answered ${status}${shown}${advice(code, status, settings)}`,
    refusalOptions(answer),
  )
}

function advice(code: string, status: number, { containerName }: AzureSettings): string {
  switch (code) {
    case 'AuthorizationPermissionMismatch':
      return ': the signature gives no permission to write (sp=w)'
    case 'AuthorizationResourceTypeMismatch':
      return ': the signature is not for objects (srt=o)'
    case 'AuthorizationServiceMismatch':
      return ': the signature is not for the blob service (ss=b)'
    case 'AuthenticationFailed':
      return ': the signature is wrong or has expired'
    case 'ContainerNotFound':
      return `: there is no container ${containerName}`
    default:
      if (status === 403) return ': the signature does not allow it'
      return explained(adviceFor(status))
  }
}
