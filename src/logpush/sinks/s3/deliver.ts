import { DeleteObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { logpushLimits } from '../../../kit/limits.ts'
import type { DestinationReach } from '../../../model/settings.ts'
import { openOutgoing } from '../../outgoing.ts'
import type { Sink } from '../sink.ts'
import { sinkErrorOf } from './errors.ts'
import { uploadInParts } from './multipart.ts'
import { requestHandler } from './request-handler.ts'
import type { S3Settings } from './settings.ts'

/**
 * Buckets whose server was seen not to know `If-None-Match` on writes, so that every other batch need not ask again.
 * There it writes over the object of that name, which has the same bytes.
 */
const unconditional = new Set<string>()
const unconditionalMax = 1000

/** A client of one bucket. The delivery loop retries, so the client itself does not. */
export function openS3(settings: S3Settings, reach: DestinationReach): Sink {
  const outgoing = openOutgoing(reach)
  const client = new S3Client({
    region: settings.region,
    maxAttempts: 1,
    // Many S3-compatible servers do not know the newer checksum headers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: requestHandler(outgoing)!,
    forcePathStyle: settings.pathStyle,
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    ...(settings.credentials === undefined ? {} : { credentials: settings.credentials }),
  })
  const encryption =
    settings.serverSideEncryption === undefined ? {} : { ServerSideEncryption: settings.serverSideEncryption }
  const object = (key: string) => ({ Bucket: settings.bucket, Key: key, ...encryption })

  const write = async (key: string, body: Uint8Array, type: string, once: boolean, signal: AbortSignal) => {
    const condition = once ? { IfNoneMatch: '*' } : {}
    if (body.length >= logpushLimits.multipartBytesMin)
      return uploadInParts(client, { ...object(key), ContentType: type }, body, condition, signal)
    const put = new PutObjectCommand({ ...object(key), Body: body, ContentType: type, ...condition })
    return (await client.send(put, { abortSignal: signal })).$metadata.httpStatusCode
  }
  const writeOnce = async (key: string, body: Uint8Array, signal: AbortSignal) => {
    const bucket = `${settings.endpoint ?? settings.region}/${settings.bucket}`
    if (!unconditional.has(bucket)) {
      try {
        return await write(key, body, 'application/gzip', true, signal)
      } catch (error) {
        if (isThereAlready(error)) return 412
        if (!knowsNoCondition(error)) throw error
      }
    }
    const status = await write(key, body, 'application/gzip', false, signal)
    if (unconditional.size < unconditionalMax) unconditional.add(bucket)
    return status
  }

  const put: Sink['put'] = (batch, signal) =>
    asSinkError(settings, batch.path, () => writeOnce(batch.path, batch.gzip, signal))
  return {
    put,
    async probe(batch, signal) {
      await put(batch, signal)
      const command = new DeleteObjectCommand({ Bucket: settings.bucket, Key: batch.path })
      // A courtesy: credentials that may only write are good ones.
      await client.send(command, { abortSignal: signal }).catch(() => {})
    },
    async leave(path, text, signal) {
      await asSinkError(settings, path, () => write(path, Buffer.from(text), 'text/plain', false, signal))
    },
    close() {
      client.destroy()
      outgoing.close()
    },
  }
}

/** The name follows from the range, so what has it was written by an attempt whose answer was lost. */
function isThereAlready(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412
}

function knowsNoCondition(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  return (
    error.$metadata.httpStatusCode === 501 ||
    ['NotImplemented', 'InvalidArgument', 'UnsupportedArgument'].includes(error.name)
  )
}

async function asSinkError<T>(settings: S3Settings, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw sinkErrorOf(error, settings, path)
  }
}
