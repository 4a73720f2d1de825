import { DeleteObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { type Sink, SinkError } from '../sink.ts'
import type { S3Settings } from './settings.ts'

/** One attempt must end well before a client of the API gives up (60 s). */
const requestTimeoutMs = 30_000
const connectTimeoutMs = 5_000

/** A client of one bucket. The delivery loop retries, so the client itself does not. */
export function openS3(settings: S3Settings): Sink {
  const client = new S3Client({
    region: settings.region,
    maxAttempts: 1,
    // Many S3-compatible servers do not know the newer checksum headers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      requestTimeout: requestTimeoutMs,
      connectionTimeout: connectTimeoutMs,
      throwOnRequestTimeout: true,
    },
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    ...(settings.credentials === undefined ? {} : { credentials: settings.credentials }),
  })
  return {
    async put(name, body, contentType) {
      await asSinkError(
        client.send(
          new PutObjectCommand({
            Bucket: settings.bucket,
            Key: name,
            Body: body,
            ContentType: contentType,
            ...(settings.serverSideEncryption === undefined
              ? {}
              : { ServerSideEncryption: settings.serverSideEncryption }),
          }),
          { abortSignal: AbortSignal.timeout(requestTimeoutMs) },
        ),
        settings,
      )
    },
    async remove(name) {
      const command = new DeleteObjectCommand({ Bucket: settings.bucket, Key: name })
      await asSinkError(
        client.send(command, { abortSignal: AbortSignal.timeout(requestTimeoutMs) }),
        settings,
      )
    },
    close: () => client.destroy(),
  }
}

async function asSinkError(work: Promise<unknown>, settings: S3Settings): Promise<void> {
  try {
    await work
  } catch (error) {
    throw sinkError(error, settings)
  }
}

/** S3's error names in plain words, with what to do. */
function sinkError(error: unknown, settings: S3Settings): SinkError {
  const at = settings.endpoint ?? `Amazon S3 in ${settings.region}`
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0
    const permanent = status === 400 || status === 401 || status === 403 || status === 404
    return new SinkError(
      error.name,
      permanent ? 'never' : 'later',
      `${at} answered ${status} ${error.name}${adviceFor(error.name, settings)}`,
      { cause: error },
    )
  }
  const name = error instanceof Error ? error.name : 'unknown'
  if (name === 'CredentialsProviderError')
    return new SinkError(
      'no-credentials',
      'never',
      'no AWS credentials were found: put access-key-id and secret-access-key into destination_conf, or set them in the environment of Sluice',
      { cause: error },
    )
  const reason = error instanceof Error ? ((error as { code?: string }).code ?? error.message) : String(error)
  return new SinkError('unreachable', 'later', `${at} cannot be reached: ${reason}`, { cause: error })
}

function adviceFor(name: string, settings: S3Settings): string {
  switch (name) {
    case 'AccessDenied':
      return `: the credentials lack s3:PutObject on ${settings.bucket}`
    case 'NoSuchBucket':
      return `: there is no bucket ${settings.bucket}`
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return ': the access key or its secret is wrong'
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `: the bucket is in another region than ${settings.region}`
    default:
      return ''
  }
}
