import { createHash, verify, X509Certificate } from 'node:crypto'
import {
  BasicOCSPResponse,
  CertID,
  id_pkix_ocsp_basic,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  Request,
  type SingleResponse,
  TBSRequest,
} from '@peculiar/asn1-ocsp'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509'
import { ocspLimits } from '../limits.ts'
import { OcspError } from './ocsp-error.ts'
import type { OcspSubject } from './subject.ts'

/** A response that clients accept. */
export interface Staple {
  readonly der: Buffer
  /** The moment after which clients refuse it, in ms since the Unix epoch. */
  readonly untilMs: number
}

const sha1 = '1.3.14.3.2.26'
const ocspSigning = '1.3.6.1.5.5.7.3.9'

/** Digests of signature algorithms, as node names them; null where the algorithm has its own. SHA-1 is too weak. */
const digests: { readonly [algorithm: string]: string | null } = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
}

/** @source RFC 5019 2.1: one certificate, SHA-1, no nonce, so that responders can answer from their cache */
export function ocspRequest(subject: OcspSubject): Buffer {
  const request = new OCSPRequest({
    tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert: certIdOf(subject) })] }),
  })
  return Buffer.from(AsnConvert.serialize(request))
}

function certIdOf({ certificate, issuer }: OcspSubject): CertID {
  const { tbsCertificate } = AsnConvert.parse(issuer.raw, Certificate)
  return new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha1, parameters: null }),
    issuerNameHash: digest(AsnConvert.serialize(tbsCertificate.subject)),
    issuerKeyHash: digest(tbsCertificate.subjectPublicKeyInfo.subjectPublicKey),
    serialNumber: AsnConvert.parse(certificate.raw, Certificate).tbsCertificate.serialNumber,
  })
}

function digest(bytes: ArrayBuffer): OctetString {
  return new OctetString(createHash('sha1').update(new Uint8Array(bytes)).digest())
}

/**
 * Checks a response as a client does: about this certificate, good, current, and signed by the issuer or by a responder
 * that the issuer has named.
 * @throws OcspError with the reason
 * @source RFC 6960 3.2 and 4.2.2.2
 */
export function checkedStaple(der: Buffer, subject: OcspSubject, nowMs: number): Staple {
  const basic = basicResponse(der)
  const single = answerAbout(basic, subject)
  if (single.certStatus.revoked !== undefined) throw new OcspError('the certificate is revoked')
  if (single.certStatus.good === undefined) throw new OcspError('the responder does not know the certificate')
  if (single.thisUpdate.getTime() > nowMs + ocspLimits.clockSkewMs)
    throw new OcspError('the response is from the future')
  const untilMs = single.nextUpdate?.getTime() ?? nowMs + ocspLimits.undatedMs
  if (untilMs <= nowMs) throw new OcspError('the response is too old')
  if (!isSigned(basic, subject, nowMs)) throw new OcspError('the signature of the response is not valid')
  return { der, untilMs }
}

function basicResponse(der: Buffer): BasicOCSPResponse {
  try {
    const { responseStatus, responseBytes } = AsnConvert.parse(der, OCSPResponse)
    if (responseBytes?.responseType === id_pkix_ocsp_basic)
      return AsnConvert.parse(responseBytes.response.buffer, BasicOCSPResponse)
    const status = OCSPResponseStatus[responseStatus as number] ?? 'unknown'
    throw new OcspError(`the responder refuses to answer: ${status}`)
  } catch (error) {
    if (error instanceof OcspError) throw error
    throw new OcspError('the answer is not an OCSP response', error)
  }
}

function answerAbout({ tbsResponseData }: BasicOCSPResponse, subject: OcspSubject): SingleResponse {
  const wanted = certIdOf(subject)
  const answer = tbsResponseData.responses.find(
    ({ certID }) =>
      isEqual(certID.serialNumber, wanted.serialNumber) &&
      isEqual(certID.issuerNameHash.buffer, wanted.issuerNameHash.buffer) &&
      isEqual(certID.issuerKeyHash.buffer, wanted.issuerKeyHash.buffer),
  )
  if (answer === undefined) throw new OcspError('the response is about another certificate')
  return answer
}

function isEqual(one: ArrayBuffer, other: ArrayBuffer): boolean {
  return Buffer.from(one).equals(Buffer.from(other))
}

function isSigned(basic: BasicOCSPResponse, { issuer }: OcspSubject, nowMs: number): boolean {
  const digest = digests[basic.signatureAlgorithm.algorithm]
  if (digest === undefined) return false
  const signed = new Uint8Array(basic.tbsResponseDataRaw!)
  const signature = new Uint8Array(basic.signature)
  const certificates = (basic.certs ?? []).map(
    one => new X509Certificate(Buffer.from(AsnConvert.serialize(one))),
  )
  const signers = [issuer, ...certificates.filter(one => isResponderOf(one, issuer, nowMs))]
  return signers.some(({ publicKey }) => verify(digest, signed, publicKey, signature))
}

function isResponderOf(responder: X509Certificate, issuer: X509Certificate, nowMs: number): boolean {
  return (
    responder.keyUsage?.includes(ocspSigning) === true &&
    responder.validFromDate.getTime() <= nowMs + ocspLimits.clockSkewMs &&
    responder.validToDate.getTime() > nowMs &&
    responder.checkIssued(issuer) &&
    responder.verify(issuer.publicKey)
  )
}
