import type { AcmeChallenge } from '../../model/acme.ts'
import type { EdgeCertificate } from './certificates.ts'

/** The protocol of a check by `tls-alpn-01` (RFC 8737). */
export const acmeProtocol = 'acme-tls/1'

const pathPrefix = '/.well-known/acme-challenge/'

/** The challenges that certificate authorities are about to check, on this edge as on all others. */
export class AcmeChallenges {
  #http = new Map<string, string>()
  #tls = new Map<string, EdgeCertificate>()

  /** @param challenges all live ones */
  replace(challenges: readonly AcmeChallenge[]): void {
    const http = new Map<string, string>()
    const tls = new Map<string, EdgeCertificate>()
    for (const challenge of challenges) {
      const { name } = challenge
      if (challenge.kind === 'http-01') http.set(`${name} ${challenge.token}`, challenge.keyAuthorization)
      else {
        const { certificate: cert, key } = challenge
        tls.set(name, { names: [name], standsForAll: false, options: { cert, key } })
      }
    }
    this.#http = http
    this.#tls = tls
  }

  /**
   * The answer of a check by `http-01`; undefined when the path is none of a live challenge.
   * @param host lower case, without port
   */
  answer(host: string, path: string): string | undefined {
    if (this.#http.size === 0 || !path.startsWith(pathPrefix)) return undefined
    return this.#http.get(`${host} ${path.slice(pathPrefix.length)}`)
  }

  /**
   * The certificate that a check by `tls-alpn-01` gets; undefined for other clients and without a live challenge.
   * @param protocols that the client offers
   */
  certificate(serverName: string | undefined, protocols: readonly string[]): EdgeCertificate | undefined {
    if (serverName === undefined || protocols.length !== 1 || protocols[0] !== acmeProtocol) return undefined
    return this.#tls.get(serverName)
  }
}
