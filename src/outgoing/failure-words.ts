import { AddressRefusedError } from './policy.ts'

/** Why a request of an undici client got no response, for the person who named the URL. */
export function failureWords({ hostname, host, protocol }: URL, error: unknown): string {
  if (error instanceof AddressRefusedError) return error.message
  const { code: ownCode, message, name } = error as { code?: unknown; message?: string; name?: string }
  // The code of an AbortError is a number.
  const code = typeof ownCode === 'string' ? ownCode : ''
  if (code === 'ENOTFOUND')
    return `the name ${hostname} has no address: correct the name, or add it to the DNS`
  if (code === 'EAI_AGAIN') return `the name server does not answer for ${hostname}`
  if (code === 'ECONNREFUSED')
    return `${host} refuses connections: nothing listens there; correct the address, or start the server`
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return `${host} does not answer`
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || name === 'TimeoutError')
    return `${host} accepts connections but does not answer the request`
  if (name === 'HTTPParserError' || code.startsWith('HPE_')) return `${host} does not speak HTTP/1.1`
  if (protocol === 'https:') {
    if (code.startsWith('ERR_SSL') || code === 'EPROTO' || code === 'ECONNRESET')
      return `${host} does not speak TLS on this port`
    if (/CERT|SIGNATURE|TLS/.test(code)) return `its certificate is not valid: ${message}`
  }
  return `${host} cannot be reached: ${code || message}`
}
