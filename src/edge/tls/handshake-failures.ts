/** The reasons for which TLS handshakes fail, as metrics name them. */
export const handshakeFailures = [
  'certificate_rejected',
  'closed',
  'no_application_protocol',
  'no_shared_cipher',
  'not_tls',
  'protocol_version',
  'timeout',
  'unrecognized_name',
  'other',
] as const

export type HandshakeFailure = (typeof handshakeFailures)[number]

const byCode: { readonly [code: string]: HandshakeFailure } = {
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  ERR_SSL_NO_APPLICATION_PROTOCOL: 'no_application_protocol',
  ERR_SSL_NO_SHARED_CIPHER: 'no_shared_cipher',
  ERR_SSL_NO_SUITABLE_KEY_SHARE: 'no_shared_cipher',
  ERR_SSL_NO_SUITABLE_SIGNATURE_ALGORITHM: 'no_shared_cipher',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'protocol_version',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'timeout',
}

/** Alerts by which a client refuses the certificate (RFC 8446 6.2). */
const refusal = /_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA)/

/** The reason of an error of OpenSSL or node. */
export function handshakeFailure({ code = '' }: NodeJS.ErrnoException): HandshakeFailure {
  return byCode[code] ?? (refusal.test(code) ? 'certificate_rejected' : 'other')
}
