import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Reach } from '../../../model/settings/index.ts'
import { logpushLimits } from '../../limits.ts'
import { openOutgoing } from '../outgoing.ts'
import { NameTakenError, type Sink, type SinkBatch } from '../sink.ts'
import { serverName, sinkErrorOf, statusOf } from './errors.ts'
import { uploadInParts } from './multipart.ts'
import { requestHandler } from './request-handler.ts'
import type { S3Settings } from './settings.ts'

/**
 * Buckets whose server is known not to support `If-None-Match` on writes, so that other batches need not try again.
 * There a write replaces the object of that name, which has the same bytes.
 */
const unconditional = new Set<string>()
const unconditionalKept = 1000

/** A client of one bucket. The delivery loop retries, so the client itself does not. */
export function openS3(settings: S3Settings, reach: Reach): Sink {
  const outgoing = openOutgoing(reach)
  const client = new S3Client({
    region: settings.region,
    maxAttempts: 1,
    // Many S3-compatible servers do not know the newer checksum headers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: requestHandler(outgoing, serverName(settings))!,
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
  const writeOnce = async ({ path: key, content, contentType }: SinkBatch, signal: AbortSignal) => {
    const bucket = `${settings.endpoint ?? settings.region}/${settings.bucket}`
    if (!unconditional.has(bucket)) {
      try {
        return await write(key, content, contentType, true, signal)
      } catch (error) {
        if (isThereAlready(error)) throw new NameTakenError(key, 412)
        if (!knowsNoCondition(error)) throw error
      }
    }
    const status = await write(key, content, contentType, false, signal)
    if (unconditional.size < unconditionalKept) unconditional.add(bucket)
    return status
  }

  const put: Sink['put'] = (batch, signal) =>
    asSinkError(settings, batch.path, () => writeOnce(batch, signal))
  return {
    reusable: true,
    put,
    async probe(batch, signal) {
      await put(batch, signal)
      const command = new DeleteObjectCommand({ Bucket: settings.bucket, Key: batch.path })
      // Best effort: credentials that may only write are sufficient.
      await client.send(command, { abortSignal: signal }).catch(() => {})
    },
    async leave(path, text, signal) {
      await asSinkError(settings, path, () => write(path, Buffer.from(text), 'text/plain', false, signal))
    },
    read: (path, bytesMax, signal) =>
      asSinkError(settings, path, async () => {
        // One more byte shows that the object is longer.
        const range = { Bucket: settings.bucket, Key: path, Range: `bytes=0-${bytesMax}` }
        try {
          const { Body } = await client.send(new GetObjectCommand(range), { abortSignal: signal })
          const bytes = Buffer.from((await Body?.transformToByteArray()) ?? [])
          return bytes.length > bytesMax ? undefined : bytes
        } catch (error) {
          // Credentials that can only write are sufficient.
          if (statusOf(error) === 403) return undefined
          throw error
        }
      }),
    close() {
      client.destroy()
      outgoing.close()
    },
  }
}

function isThereAlready(error: unknown): boolean {
  return statusOf(error) === 412
}

function knowsNoCondition(error: unknown): boolean {
  if (statusOf(error) === 501) return true
  return (
    error instanceof S3ServiceException &&
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
