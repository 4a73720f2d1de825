import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { appendFile, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { type Instance, testCrs } from '../support/sluice.ts'
import { host } from './requests.ts'

/** Imports and activates another release of the CRS, with the command, while the product runs. @returns its last line */
export async function importCrs(sluice: Instance, folder: string): Promise<string> {
  const release = join(folder, 'crs')
  await cp(testCrs, release, { recursive: true })
  await appendFile(join(release, 'rules', 'REQUEST-901-INITIALIZATION.conf'), '\n# Another release.\n')
  const program = join(import.meta.dirname, '../../bin/sluice.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'crs', 'import', release], {
    env: { ...process.env, SLUICE_DATA: sluice.data },
  })
  return stdout.trim().split('\n').at(-1)!
}

/** The serial number of the certificate that the edge shows. */
export function serialOf(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: host, ca }, () => {
      const certificate = new X509Certificate(socket.getPeerCertificate().raw)
      socket.destroy()
      resolve(certificate.serialNumber)
    })
    socket.once('error', reject)
  })
}
