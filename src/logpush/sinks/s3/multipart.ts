import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  type ServerSideEncryption,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { logpushLimits } from '../../limits.ts'
import { asksForDelay, statusOf } from './errors.ts'

/** Attempts per part. */
const attempts = 3
const abortMs = 5_000

interface ObjectToWrite {
  readonly Bucket: string
  readonly Key: string
  readonly ContentType: string
  readonly ServerSideEncryption?: ServerSideEncryption
}

/**
 * Writes one object in parts; it appears when the last part is there. On failure the upload is aborted, because the
 * server would keep (and charge for) its parts.
 * @param condition of the write; the server checks it at the end
 * @returns the status of the last answer
 */
export async function uploadInParts(
  client: S3Client,
  object: ObjectToWrite,
  body: Uint8Array,
  condition: { readonly IfNoneMatch?: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  const begun = await client.send(new CreateMultipartUploadCommand(object), { abortSignal: signal })
  const upload = { Bucket: object.Bucket, Key: object.Key, UploadId: begun.UploadId }
  const partBytes = logpushLimits.multipartPartBytes
  try {
    const parts: CompletedPart[] = []
    for (let start = 0; start < body.length; start += partBytes) {
      const number = parts.length + 1
      const part = { ...upload, PartNumber: number, Body: body.subarray(start, start + partBytes) }
      const sent = await repeated(signal, () =>
        client.send(new UploadPartCommand(part), { abortSignal: signal }),
      )
      parts.push({ PartNumber: number, ETag: sent.ETag })
    }
    const whole = { ...upload, MultipartUpload: { Parts: parts }, ...condition }
    const complete = new CompleteMultipartUploadCommand(whole)
    return (await client.send(complete, { abortSignal: signal })).$metadata.httpStatusCode
  } catch (error) {
    const abort = new AbortMultipartUploadCommand(upload)
    await client.send(abort, { abortSignal: AbortSignal.timeout(abortMs) }).catch(() => {})
    throw error
  }
}

async function repeated<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const status = statusOf(error) ?? 500
      // A server that names a delay is busy: the delivery loop waits for it.
      if (attempt === attempts || status < 500 || asksForDelay(error) || signal.aborted) throw error
    }
  }
}
