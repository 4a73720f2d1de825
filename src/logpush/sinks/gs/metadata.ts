import { destinationLimits } from '../limits.ts'
import { SinkError } from '../sink.ts'

export interface Token {
  readonly token: string
  /** Lifetime. */
  readonly seconds: number
}

/**
 * An access token of the service account of a Google machine. The address belongs to the metadata service and never to
 * a job, so it is the only link-local address that is connected to.
 * @source Google Cloud, "About VM metadata", "Authenticate workloads to Google Cloud APIs using service accounts"
 * @throws SinkError with step `authenticate`
 */
export async function metadataToken(signal: AbortSignal): Promise<Token> {
  const host = process.env['GCE_METADATA_HOST'] || '169.254.169.254'
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`
  const response = await fetch(url, {
    headers: { 'metadata-flavor': 'Google' },
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(destinationLimits.googleMetadataMs)]),
  }).catch(() => undefined)
  // Another server that answers there is not Google's.
  if (response?.headers.get('metadata-flavor') !== 'Google')
    throw noToken(
      'set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account, or run on a machine at Google whose metadata service answers',
    )
  if (response.status === 404) throw noToken('the machine has no service account')
  const answer = (await response.json().catch(() => ({}))) as { access_token?: unknown; expires_in?: unknown }
  if (response.status !== 200 || typeof answer.access_token !== 'string')
    throw noToken(`the metadata service of the machine gives no token (${response.status})`)
  return { token: answer.access_token, seconds: Number(answer.expires_in) || 0 }
}

/** The service may be unavailable for a moment, and recovers by itself. */
function noToken(message: string): SinkError {
  return new SinkError('no-credentials', 'later', `no Google credentials: ${message}`, {
    step: 'authenticate',
  })
}
