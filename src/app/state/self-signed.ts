import { X509Certificate } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CertificatePair, selfSignedCertificate } from '../../edge/index.ts'
import { newId } from '../../kit/ids.ts'

/** Names of the zone of a first start. */
const names = ['localhost', '*.localhost', '127.0.0.1', '::1']

/** It is replaced when it has less than this left. */
const restMs = 30 * 86_400_000

/**
 * The self-signed certificate of this data directory: the file `self-signed.pem`, with its key. Clients that were told to
 * trust it keep trusting it.
 * @param data an existing data directory
 */
export async function selfSignedOf(data: string, nowMs: number): Promise<CertificatePair> {
  const path = join(data, 'self-signed.pem')
  const text = await readFile(path, 'latin1').catch(() => '')
  const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/.exec(text)?.[0]
  const key = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/.exec(text)?.[0]
  if (certificate !== undefined && key !== undefined && isCurrent(certificate, nowMs))
    return { certificate, key }
  const made = await selfSignedCertificate(names, new Date(nowMs))
  const whole = `${path}.${newId()}`
  await writeFile(whole, `${made.certificate}\n${made.key}`, { mode: 0o600 })
  await rename(whole, path)
  return made
}

function isCurrent(certificate: string, nowMs: number): boolean {
  try {
    return new X509Certificate(certificate).validToDate.getTime() > nowMs + restMs
  } catch {
    return false
  }
}
