import { createSecureContext, type SecureContext } from 'node:tls'
import type { OriginTls } from '../model/origin-tls.ts'

/** Authorities need not be roots: an origin's own certificate may stand there. */
export function secureContextOf({ authorities, client }: OriginTls): SecureContext {
  return createSecureContext({
    ...(authorities.length > 0 && { ca: [...authorities], allowPartialTrustChain: true }),
    ...(client && { cert: client.certificate, key: client.key }),
  })
}
