import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { selfSignedCertificate } from '../../src/edge/tls/self-signed.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { api, discard, type Instance, startSluice } from '../support/sluice.ts'

/**
 * Cloudflare's Go SDK against a running instance, and over TLS the older client of Terraform's provider 4. `npm run test:servers --
 * go-sdk` runs it.
 */
const flows = join(import.meta.dirname, 'go-sdk')

let sluice: Instance
let certificates: string
let settings: Readonly<Record<string, string>>

before(async () => {
  certificates = await mkdtemp(join(tmpdir(), 'sluice-go-sdk-'))
  const certificate = join(certificates, 'localhost.pem')
  const made = await selfSignedCertificate(['localhost'], new Date())
  await writeFile(certificate, made.certificate)
  await writeFile(join(certificates, 'localhost.key'), made.key, { mode: 0o600 })
  const port = await freePort()
  sluice = await startSluice({
    settings: {
      SLUICE_CRS: await miniCrs(),
      SLUICE_ROLES: 'control',
      SLUICE_API_TLS_LISTEN: `127.0.0.1:${port}`,
      SLUICE_TLS_CERTIFICATES: certificates,
    },
  })
  const account = (await api(sluice, 'GET', '/accounts')).result[0].id
  const zone = await api(sluice, 'POST', '/zones', { name: 'go.test', account: { id: account } })
  settings = {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: sluice.token,
    CLOUDFLARE_TLS_URL: `https://localhost:${port}/client/v4`,
    SSL_CERT_FILE: certificate,
    ACCOUNT: account,
    ZONE: zone.result.id,
    FILES: sluice.data,
  }
})

after(async () => {
  await discard(sluice)
  await rm(certificates, { recursive: true })
})

async function go(directory: string, ...words: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn('go', words, { cwd: directory, env: { ...process.env, ...settings } })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const printed = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, output: printed.join('') }
}

test('the flows of test/servers/go-sdk', async () => {
  const { code, output } = await go(flows, 'test', '-count=1', '-v', './...')
  assert.equal(code, 0, output)
  assert.equal(output.match(/^--- PASS/gm)?.length, 10, output)
})

test('the example of the docs runs as printed', async () => {
  const page = await readFile(join(import.meta.dirname, '../../docs/reference/coverage.md'), 'utf8')
  const [, example] = /```go\n(.*?)```/s.exec(page) ?? []
  const directory = await mkdtemp(join(tmpdir(), 'sluice-go-sdk-'))
  try {
    for (const name of ['go.mod', 'go.sum']) await cp(join(flows, name), join(directory, name))
    await writeFile(join(directory, 'main.go'), example!)
    const { code, output } = await go(directory, 'run', '.')
    assert.equal(code, 0, output)
    assert.match(output, /^go\.test: /m)
  } finally {
    await rm(directory, { recursive: true })
  }
})
