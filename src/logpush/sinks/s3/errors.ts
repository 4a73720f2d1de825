import { S3ServiceException } from '@aws-sdk/client-s3'
import { refusalOptions, retryOf } from '../answer-status.ts'
import { SinkError } from '../sink.ts'
import type { S3Settings } from './settings.ts'

/**
 * Errors of 4xx that the next attempt may not see: a request that broke on its way, an upload in parts that somebody
 * gave up, a conflict.
 * @source Amazon S3 API reference, "Error responses"
 */
const passing = new Set(['BadDigest', 'IncompleteBody', 'InvalidPart', 'NoSuchUpload', 'RequestTimeout'])

/** S3's errors in plain words, with what to do. */
export function sinkErrorOf(error: unknown, settings: S3Settings, path: string): SinkError {
  if (error instanceof SinkError) return error
  const at =
    settings.endpoint === undefined ? `Amazon S3 in ${settings.region}` : new URL(settings.endpoint).host
  const name = error instanceof Error ? error.name : 'unknown'
  // What a server says is no cause of ours: it may hold what it was sent.
  if (error instanceof S3ServiceException) return refusal(error, at, settings, path)
  if (name === 'CredentialsProviderError')
    return new SinkError(
      'no-credentials',
      // The service that gives them to this machine may be away for a moment.
      'later',
      'no AWS credentials were found: put access-key-id and secret-access-key into destination_conf, or set them in the environment of Sluice',
      { cause: error, step: 'authenticate' },
    )
  if (name === 'AbortError' || name === 'TimeoutError')
    return new SinkError('timeout', 'later', `${at} does not answer the request`, { cause: error })
  return new SinkError('broken-answer', 'later', `${at} gave an answer that is not S3's`)
}

function refusal(error: S3ServiceException, at: string, settings: S3Settings, path: string): SinkError {
  const { name, $metadata, $response } = error
  const status = $metadata.httpStatusCode ?? 0
  const code = isCode(name, settings) ? name : undefined
  // The machine's own credentials are renewed by who gave them.
  const renewed = settings.credentials === undefined && /^(?:ExpiredToken|InvalidToken)$/.test(name)
  return new SinkError(
    code ?? `status-${status}`,
    // Below 300: a good status with an error behind it, as an upload in parts may end.
    status < 300 || renewed || passing.has(name) ? 'later' : retryOf(status),
    `${at} answered ${status}${code === undefined ? '' : ` ${code}`}${advice(name, status, settings, path)}`,
    refusalOptions({ status, headers: $response?.headers ?? {} }),
  )
}

/** The name comes from the server, which may put there what it was sent. */
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
      return ': the credentials have run out'
    case 'RequestTimeTooSkewed':
      return ': the clock of this machine is wrong'
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return `: the bucket is in another region than ${region}`
    case 'SlowDown':
    case 'ServiceUnavailable':
      return ': the server is busy'
    default:
      return status >= 300 && status < 400 ? ': a redirect, which is not followed' : ''
  }
}
