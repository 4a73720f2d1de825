import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { selfSignedCertificate } from '../../src/edge/tls/self-signed.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { inForce } from '../support/in-force.ts'
import { api, discard, type Instance, newData, startSluice, testCrs } from '../support/sluice.ts'

/** The product over TLS: certificates, HTTP/2, rules and settings, asked with curl and node's TLS client. */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'
const run = promisify(execFile)
const attack = '/search?q=1%27%20OR%20%271%27=%271'

test('the edge serves TLS and HTTP/2 with rules, certificate files and zone settings', { skip }, async t => {
  const port = await freePort()
  const apiPort = await freePort()
  const data = await newData({ SLUICE_CRS: testCrs })
  const certificates = join(data, 'certificates')
  await mkdir(certificates)
  const sluice = await startSluice({
    data,
    settings: {
      SLUICE_CRS: testCrs,
      SLUICE_WORKERS: '2',
      SLUICE_API_TLS_LISTEN: `127.0.0.1:${apiPort}`,
      SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${port}`,
      SLUICE_TLS_CERTIFICATES: certificates,
    },
  })
  t.after(() => discard(sluice))
  const ask = async (...words: string[]) => {
    const format = '%{http_version} %{response_code} %{redirect_url}'
    const { stdout } = await run('curl', ['-sk', '-o', join(data, 'body'), '-w', format, ...words])
    return stdout.trim()
  }
  const site = `https://localhost:${port}`
  const { stdout: features } = await run('curl', ['--version'])
  const newest = features.includes('HTTP2') ? '2' : '1.1'
  assert.equal(await ask(`${site}/search?q=kettle`), `${newest} 200`)
  assert.equal(await ask(`${site}${attack}`), `${newest} 403`)
  assert.equal(await ask('--http1.1', `${site}${attack}`), '1.1 403')

  assert.equal(await ask(`https://localhost:${apiPort}/`), '1.1 200')
  const authorization = `Authorization: Bearer ${sluice.token}`
  const check = `https://localhost:${apiPort}/client/v4/user/tokens/verify`
  assert.equal(await ask('-H', authorization, check), '1.1 200')

  // A certificate appears while a connection is open, and the connection stays.
  const open = await shake(port, 'localhost')
  const made = await selfSignedCertificate(['localhost'], new Date())
  await writeFile(join(certificates, 'localhost.pem'), made.certificate)
  await writeFile(join(certificates, 'localhost.key'), made.key, { mode: 0o600 })
  const wanted = new X509Certificate(made.certificate).fingerprint256
  for (let tries = 0; ; tries++) {
    const socket = await shake(port, 'localhost')
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    if (fingerprint256 === wanted) break
    assert.ok(tries < 300, 'the certificate is not used')
    await sleep(100)
  }
  open.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const answer: Buffer[] = await open.toArray()
  assert.match(Buffer.concat(answer).toString(), /^HTTP\/1\.1 200 /)
  assert.equal(await ask('-H', 'Host: elsewhere.test', `${site}/`), `${newest} 421`)

  const metrics = await metricsOf(sluice)
  const expiry = /^sluice_tls_certificate_expiry_timestamp_seconds\{name="localhost",source="file"\} (\d+)$/m
  const { validToDate } = new X509Certificate(made.certificate)
  assert.equal(Number(expiry.exec(metrics)?.[1]), validToDate.getTime() / 1000)
  assert.match(metrics, /^sluice_tls_handshake_failures_total\{reason="not_tls"\} 0$/m)

  const [zone] = (await api(sluice, 'GET', '/zones')).result
  for (const [name, value] of [
    ['always_use_https', 'on'],
    ['http2', 'off'],
  ])
    assert.equal((await api(sluice, 'PATCH', `/zones/${zone.id}/settings/${name}`, { value })).status, 200)
  await inForce(sluice)
  assert.equal(await ask(`${site}/search?q=kettle`), '1.1 200')
  assert.equal(
    await ask('-H', 'Host: localhost', `${sluice.edgeUrl}/a?b=c`),
    '1.1 301 https://localhost/a?b=c',
  )
})

async function metricsOf({ apiUrl, token }: Instance): Promise<string> {
  const answer = await fetch(new URL('/metrics', apiUrl), { headers: { authorization: `Bearer ${token}` } })
  return answer.text()
}

function shake(port: number, servername: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () =>
      resolve(socket),
    )
    socket.once('error', reject)
  })
}
