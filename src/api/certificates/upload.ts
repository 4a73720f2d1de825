import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import {
  type CertificateFacts,
  certificateBlocks,
  certificateFacts,
  privateKeyBlock,
} from '../../kit/certificates.ts'
import { refusal } from '../http/errors.ts'
import { uploadLimits } from './limits.ts'

/** An uploaded certificate that an edge can use. */
export interface Upload extends CertificateFacts {
  /** PEM: the certificate itself, then its chain; nothing else. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
}

/**
 * Checks an uploaded certificate and its key as an edge would use them.
 * @param zoneName undefined for a client certificate, whose names have no meaning
 * @throws ApiError 400 that names the field and the reason; it never repeats the key
 */
export function checkedUpload(
  pem: string,
  keyPem: string,
  zoneName: string | undefined,
  nowMs: number,
): Upload {
  const chain = readChain(pem)
  const key = readKey(keyPem)
  const [leaf] = chain
  requireMatch(chain, key)
  requireStrong(key)
  const facts = certificateFacts(leaf!)
  if (zoneName !== undefined) requireNames(facts.hosts, zoneName)
  requireValid(facts, nowMs)
  const certificate = chain.map(one => one.toString()).join('')
  const keyText = key.export({ type: 'pkcs8', format: 'pem' }) as string
  requireUsable(certificate, keyText)
  return { ...facts, certificate, key: keyText }
}

/**
 * Checks a certificate that origins' certificates are checked against.
 * @throws ApiError 400 that names the reason
 */
export function checkedAuthority(
  pem: string,
  nowMs: number,
): CertificateFacts & { readonly certificate: string } {
  const [authority, ...others] = readChain(pem)
  if (others.length > 0) throw refusedCertificate('it must be one certificate; upload each on its own')
  const facts = certificateFacts(authority!)
  requireValid(facts, nowMs)
  return { ...facts, certificate: authority!.toString() }
}

function readChain(pem: string): readonly X509Certificate[] {
  const { chainBytesMax } = uploadLimits
  if (pem.length > chainBytesMax) throw refusedCertificate(`it has more than ${chainBytesMax} bytes`)
  const blocks = certificateBlocks(pem)
  if (blocks.length === 0) throw refusedCertificate('it has no certificate in PEM')
  if (blocks.length > uploadLimits.chainCertificatesMax)
    throw refusedCertificate(`its chain has more than ${uploadLimits.chainCertificatesMax} certificates`)
  return blocks.map((block, at) => {
    try {
      return new X509Certificate(block)
    } catch {
      throw refusedCertificate(`certificate ${at + 1} of the chain cannot be read`)
    }
  })
}

function readKey(pem: string): KeyObject {
  const { keyBytesMax } = uploadLimits
  if (pem.length > keyBytesMax) throw refusedKey(`it has more than ${keyBytesMax} bytes`)
  const block = privateKeyBlock(pem)
  if (block === undefined) throw refusedKey('it has no private key in PEM')
  if (/ENCRYPTED/.test(block)) throw refusedKey('it is encrypted; upload it without a passphrase')
  try {
    return createPrivateKey(block)
  } catch {
    throw refusedKey('it cannot be read')
  }
}

function requireMatch(chain: readonly X509Certificate[], key: KeyObject): void {
  const at = chain.findIndex(one => one.checkPrivateKey(key))
  if (at === 0) return
  if (at < 0) throw refusedKey('it is the key of another certificate')
  throw refusedCertificate(`the certificate of the key must come first; it is number ${at + 1}`)
}

function requireStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): void {
  const { rsaBitsMin, rsaBitsMax } = uploadLimits
  const bits = details?.modulusLength ?? 0
  if (type === 'rsa' && bits >= rsaBitsMin && bits <= rsaBitsMax) return
  if (type === 'rsa')
    throw refusedKey(`its RSA key has ${bits} bits; use one of ${rsaBitsMin} to ${rsaBitsMax} bits`)
  if (type === 'ed25519') return
  if (type === 'ec' && ['prime256v1', 'secp384r1'].includes(details?.namedCurve ?? '')) return
  throw refusedKey('it must be RSA, ECDSA with the curve P-256 or P-384, or Ed25519')
}

function requireNames(names: readonly string[], zoneName: string): void {
  if (names.length === 0)
    throw refusedCertificate('it states no names: its extension subjectAltName is absent or empty')
  if (names.length > uploadLimits.namesMax)
    throw refusedCertificate(`it has more than ${uploadLimits.namesMax} names`)
  if (names.some(name => isOfZone(name, zoneName))) return
  throw refusedCertificate(`none of its names is ${zoneName} or below it: ${names.slice(0, 5).join(', ')}`)
}

/** An edge uses the certificate for these names only. */
function isOfZone(name: string, zoneName: string): boolean {
  return name === zoneName || name.endsWith(`.${zoneName}`)
}

function requireValid({ beginsMs, expiresMs }: CertificateFacts, nowMs: number): void {
  if (expiresMs <= nowMs) throw refusedCertificate(`it expired on ${new Date(expiresMs).toISOString()}`)
  if (beginsMs > nowMs) throw refusedCertificate(`it is not valid before ${new Date(beginsMs).toISOString()}`)
}

/** OpenSSL refuses, for example, signatures with SHA-1. */
function requireUsable(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw refusedCertificate(
      `OpenSSL refuses it: ${(error as { reason?: string }).reason ?? 'unknown reason'}`,
    )
  }
}

function refusedCertificate(reason: string): Error {
  return refusal('certificateRefused', { field: 'certificate', reason }, '/certificate')
}

function refusedKey(reason: string): Error {
  return refusal('certificateRefused', { field: 'private_key', reason }, '/private_key')
}
