import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { type CertificatePair, type NamedCertificate, namedCertificate } from '../../edge/index.ts'
import { certificateBlocks, privateKeyBlock } from '../../kit/certificates.ts'
import { certificateLimits } from '../limits.ts'

/**
 * Reads certificates. A path is a PEM file with a chain and its key, or a directory of such files. The key
 * may also be a separate file: `shop.key` beside `shop.pem` or `shop.crt`, or `privkey.pem` beside `fullchain.pem`.
 * @throws Error that names the file
 */
export async function readCertificates(paths: readonly string[]): Promise<readonly NamedCertificate[]> {
  const pairs: NamedCertificate[] = []
  for (const path of await certificateFiles(paths)) pairs.push(await readPair(path))
  return pairs
}

/**
 * Reads certificates now, and again whenever their files change.
 * @param use receives them
 * @param onError receives errors of later reads
 * @returns ends the watch
 * @throws as `readCertificates`
 */
export async function watchCertificateFiles(
  paths: readonly string[],
  use: (certificates: readonly NamedCertificate[]) => void,
  onError: (error: unknown) => void,
): Promise<() => void> {
  let known: string | undefined
  const read = async () => {
    const state = await certificateState(paths)
    if (state === known) return
    use(await readCertificates(paths))
    known = state
  }
  await read()
  let reading = false
  const timer = setInterval(() => {
    if (reading) return
    reading = true
    void read()
      .catch(onError)
      .finally(() => {
        reading = false
      })
  }, certificateLimits.checkMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Changes whenever one of the files changes. */
export async function certificateState(paths: readonly string[]): Promise<string> {
  const states: string[] = []
  for (const path of await certificateFiles(paths)) {
    for (const file of [path, ...keyFiles(path)]) {
      const facts = await stat(file).catch(() => undefined)
      if (facts !== undefined) states.push(`${file} ${facts.mtimeMs} ${facts.size}`)
    }
  }
  return states.join('\n')
}

async function certificateFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    const facts = await stat(path).catch(error => {
      throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
    })
    if (!facts.isDirectory()) files.push(path)
    else
      for (const name of (await readdir(path)).sort())
        if (isCertificateName(name)) files.push(join(path, name))
    if (files.length > certificateLimits.filesMax)
      throw new Error(`${path} brings the certificates to more than ${certificateLimits.filesMax} files`)
  }
  return files
}

/** certbot keeps the same certificate in four files. */
function isCertificateName(name: string): boolean {
  return /\.(?:pem|crt)$/.test(name) && !['privkey.pem', 'cert.pem', 'chain.pem'].includes(name)
}

function keyFiles(path: string): string[] {
  const own = path.replace(/\.(?:pem|crt)$/, '.key')
  const certbot = path.replace(/fullchain\.pem$/, 'privkey.pem')
  return [own, certbot].filter(file => file !== path)
}

async function readPair(path: string): Promise<NamedCertificate> {
  const text = await readFile(path, 'latin1').catch(error => {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  })
  const certificate = certificateBlocks(text).join('\n')
  if (certificate === '') throw new Error(`${path} has no certificate in PEM`)
  for (const candidate of [text, ...(await keyTexts(path))]) {
    const key = privateKeyBlock(candidate)
    if (key !== undefined) return checked(path, { certificate, key })
  }
  throw new Error(`${path} has no private key, and no file beside it has one (${keyFiles(path).join(', ')})`)
}

function checked(path: string, pair: CertificatePair): NamedCertificate {
  let belongs: boolean
  try {
    belongs = new X509Certificate(pair.certificate).checkPrivateKey(createPrivateKey(pair.key))
    // OpenSSL refuses keys that are too small.
    if (belongs) createSecureContext({ cert: pair.certificate, key: pair.key })
  } catch (error) {
    throw new Error(`the certificate or the key of ${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
  if (belongs) return namedCertificate(pair)
  throw new Error(`the private key for ${path} is the key of another certificate`)
}

/** Key files that exist. */
async function keyTexts(path: string): Promise<string[]> {
  const texts: string[] = []
  for (const file of keyFiles(path)) {
    try {
      texts.push(await readFile(file, 'latin1'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }
  return texts
}
