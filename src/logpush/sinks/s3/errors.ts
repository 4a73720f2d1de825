import { S3ServiceException } from '@aws-sdk/client-s3'
import { SinkError } from '../sink.ts'
import type { S3Settings } from './settings.ts'

/** S3's errors in plain words, with what to do. */
export function sinkErrorOf(error: unknown, settings: S3Settings, path: string): SinkError {
  if (error instanceof SinkError) return error
  const at =
    settings.endpoint === undefined ? `Amazon S3 in ${settings.region}` : new URL(settings.endpoint).host
  const name = error instanceof Error ? error.name : 'unknown'
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0
    // The name comes from the server.
    const shown = /^[A-Za-z0-9.]{1,64}$/.test(name) ? ` ${name}` : ''
    return new SinkError(
      shown === '' ? `status-${status}` : name,
      status >= 300 && status < 500 && status !== 408 && status !== 409 && status !== 429 ? 'never' : 'later',
      `${at} answered ${status}${shown}${advice(name, status, settings, path)}`,
      { cause: error, step: status === 401 || status === 403 ? 'authenticate' : 'write' },
    )
  }
  if (name === 'CredentialsProviderError')
    return new SinkError(
      'no-credentials',
      'never',
      'no AWS credentials were found: put access-key-id and secret-access-key into destination_conf, or set them in the environment of Sluice',
      { cause: error, step: 'authenticate' },
    )
  return new SinkError('broken-answer', 'later', `${at} gave an answer that is not S3's (${name})`, {
    cause: error,
  })
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
