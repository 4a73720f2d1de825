import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { CertificatePair } from '../tls/certificate-table.ts'

const run = promisify(execFile)
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** The certificates of this serial number are revoked. */
export const revokedSerial = '1002'

const index = `V\t391231235959Z\t\t1001\tunknown\t/CN=good\nR\t391231235959Z\t260101000000Z\t${revokedSerial}\tunknown\t/CN=revoked\n`

export interface OpensslAuthority {
  /** @param extensions lines of OpenSSL's configuration. @returns a certificate for shop.test, with its chain */
  issue(serial: string, extensions: readonly string[]): Promise<CertificatePair>
  /** Starts `openssl ocsp`, which ends with the test. @param signer a name of `signers`. @returns its URL */
  respond(signer: Signer): Promise<string>
  /** The answer to a request, without a server. @param options of `openssl ocsp` */
  answer(request: Buffer, signer: Signer, ...options: readonly string[]): Promise<Buffer>
}

/** The authority itself, a responder that it has named, and a certificate that may not sign responses. */
export type Signer = 'ca' | 'responder' | 'stranger'

/** A certificate authority of OpenSSL with its OCSP responder. */
export async function opensslAuthority(t: TestContext): Promise<OpensslAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-ocsp-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const openssl = (...words: string[]) => run('openssl', words, { cwd: folder })
  await writeFile(join(folder, 'index.txt'), index)
  const ca = ['-subj', '/CN=Test authority', '-days', '9', '-keyout', 'ca.key', '-out', 'ca.pem']
  await openssl('req', '-x509', ...newKey, ...ca)
  const sign = async (name: string, serial: string, extensions: readonly string[]) => {
    await writeFile(join(folder, `${name}.ext`), `${extensions.join('\n')}\n`)
    await openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', `0x${serial}`, '-days', '9']
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...issuer,
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.pem`,
    )
  }
  await sign('responder', '2001', ['extendedKeyUsage=OCSPSigning'])
  await sign('stranger', '2002', ['extendedKeyUsage=serverAuth'])
  const text = (name: string) => readFile(join(folder, name), 'latin1')
  const ocsp = (signer: Signer) => [
    ...['ocsp', '-index', 'index.txt', '-CA', 'ca.pem'],
    ...['-rsigner', `${signer}.pem`, '-rkey', `${signer}.key`],
  ]
  return {
    async issue(serial, extensions) {
      await sign('shop', serial, ['subjectAltName=DNS:shop.test', ...extensions])
      return { certificate: `${await text('shop.pem')}${await text('ca.pem')}`, key: await text('shop.key') }
    },
    async respond(signer) {
      const responder = spawn('openssl', [...ocsp(signer), '-port', '0', '-ndays', '1'], { cwd: folder })
      t.after(() => responder.kill())
      for await (const line of responder.stdout.setEncoding('latin1')) {
        const port = /ACCEPT \S+:(\d+)/.exec(line)?.[1]
        if (port !== undefined) return `http://127.0.0.1:${port}`
      }
      throw new Error('openssl ocsp did not start')
    },
    async answer(request, signer, ...options) {
      await writeFile(join(folder, 'request.der'), request)
      await openssl(...ocsp(signer), '-reqin', 'request.der', '-respout', 'response.der', ...options)
      return readFile(join(folder, 'response.der'))
    },
  }
}
