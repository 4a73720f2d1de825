import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createMessage, generateKey, type PrivateKey, sign } from 'openpgp'
import type { CrsError } from '../crs-error.ts'
import { crsLimits } from '../limits.ts'
import { archiveOf, miniRelease } from '../testing/release.ts'
import { fetchNewestRelease, type Upstream } from './upstream.ts'

interface Signer {
  readonly key: PrivateKey
  readonly armored: string
  readonly fingerprint: string
}

let server: Server
let base = ''
let project: Signer
let stranger: Signer
/** Path → what the server answers; anything else is 404. */
const pages = new Map<string, string | Buffer>()

before(async () => {
  ;[project, stranger] = await Promise.all([signer('project'), signer('stranger')])
  server = createServer((request, response) => {
    const page = pages.get(request.url!)
    response.writeHead(page === undefined ? 404 : 200).end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

test('the newest stable 4.x release with a signed archive is taken', async () => {
  const wanted = await publish('4.10.1')
  await publish('4.9.2')
  serveList([
    { ...entry('4.9.2') },
    { ...entry('4.12.0'), draft: true },
    { ...entry('4.11.0'), prerelease: true },
    { ...entry('5.0.0') },
    { ...entry('3.3.10') },
    { ...entry('4.11.1'), assets: [] },
    { ...entry('4.13.0'), tag_name: 'v4.13.0-rc1' },
    'nonsense',
    null,
    entry('4.10.1', sha256(wanted)),
  ])
  const lines: string[] = []
  const bundle = await fetchNewestRelease(upstream(), line => lines.push(line))
  assert.equal(bundle.crsVersion, '4.10.1')
  assert.equal(bundle.origin, 'upstream release 4.10.1')
  assert.ok(bundle.files.some(file => file.name === 'rules/scanners.data'))
  assert.match(lines.join('\n'), /OWASP CRS 4\.10\.1: signature is good/)
})

test('a file that the project has not signed is refused', async t => {
  const good = await publish('4.10.1')
  const list = [entry('4.10.1')]
  const archive = '/coreruleset-4.10.1-minimal.tar.gz'
  const other = archiveOf(miniRelease('4.10.1', { 'rules/scanners.data': 'tampered' }), 'coreruleset-4.10.1/')
  const old = archiveOf(miniRelease('4.9.0'), 'coreruleset-4.9.0/')
  const rows: readonly {
    name: string
    list?: unknown
    changes: [string, string | Buffer][]
    code: string
  }[] = [
    { name: 'tampered archive', changes: [[archive, other]], code: 'not-authentic' },
    { name: 'cut archive', changes: [[archive, good.subarray(0, -1)]], code: 'not-authentic' },
    { name: 'wrong checksum', list: [entry('4.10.1', sha256(other))], changes: [], code: 'not-authentic' },
    {
      name: 'signed by a stranger',
      changes: [[`${archive}.asc`, await signed(good, stranger)]],
      code: 'not-authentic',
    },
    { name: 'another key', changes: [['/security.asc', stranger.armored]], code: 'not-authentic' },
    { name: 'no key', changes: [['/security.asc', 'hello']], code: 'not-authentic' },
    { name: 'no signature', changes: [[`${archive}.asc`, 'hello']], code: 'not-authentic' },
    {
      name: 'an old release under a new name',
      changes: [
        [archive, old],
        [`${archive}.asc`, await signed(old, project)],
      ],
      code: 'not-authentic',
    },
    {
      name: 'signed, but no archive',
      changes: [
        [archive, 'hello'],
        [`${archive}.asc`, await signed(Buffer.from('hello'), project)],
      ],
      code: 'not-a-release',
    },
    {
      name: 'archive above the limit',
      changes: [[archive, Buffer.alloc(crsLimits.archiveBytesMax + 1)]],
      code: 'too-large',
    },
    { name: 'list that is no JSON', changes: [['/releases', '<html>']], code: 'download-failed' },
    { name: 'list that is no list', list: { message: 'rate limit' }, changes: [], code: 'download-failed' },
    { name: 'nothing of 4.x', list: [entry('3.3.10')], changes: [], code: 'download-failed' },
    { name: 'missing archive', list: [entry('4.10.7')], changes: [], code: 'download-failed' },
  ]
  for (const row of rows) {
    await t.test(row.name, async () => {
      await publish('4.10.1')
      serveList(row.list ?? list)
      for (const [path, content] of row.changes) pages.set(path, content)
      await assert.rejects(
        fetchNewestRelease(upstream(), () => {}),
        error => (error as CrsError).code === row.code || `${(error as CrsError).code}: ${error}`,
      )
    })
  }
})

test('the key is pinned: the server’s own idea of the key does not count', async () => {
  const content = archiveOf(miniRelease('4.10.1'), 'r/')
  pages.set('/coreruleset-4.10.1-minimal.tar.gz', content)
  pages.set('/coreruleset-4.10.1-minimal.tar.gz.asc', await signed(content, stranger))
  pages.set('/security.asc', `${stranger.armored}\n${project.armored}`)
  serveList([entry('4.10.1')])
  const fetched = fetchNewestRelease(upstream(), () => {})
  await assert.rejects(fetched, error => (error as CrsError).code === 'not-authentic')
})

test('a server that is not there', async () => {
  const gone = { ...upstream(), releasesUrl: 'http://127.0.0.1:1/releases' }
  await assert.rejects(
    fetchNewestRelease(gone, () => {}),
    error =>
      (error as CrsError).code === 'download-failed' && (error as Error).message.includes('127.0.0.1:1'),
  )
})

test('nothing is fetched from addresses that downloads may not reach, also not by a redirect', async t => {
  const inner = { ...upstream(), addresses: { reach: 'public', setting: 'SLUICE_DESTINATIONS' } as const }
  await assert.rejects(
    fetchNewestRelease(inner, () => {}),
    /cannot be fetched: 127\.0\.0\.1 has a loopback address, and SLUICE_DESTINATIONS=public/,
  )
  const redirecting = createServer((_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  )
  redirecting.listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  t.after(() => redirecting.close())
  const { port } = redirecting.address() as AddressInfo
  await assert.rejects(
    fetchNewestRelease({ ...upstream(), releasesUrl: `http://127.0.0.1:${port}/` }, () => {}),
    /169\.254\.169\.254 has a link-local or reserved address/,
  )
})

function upstream(): Upstream {
  return {
    releasesUrl: `${base}/releases`,
    keyUrl: `${base}/security.asc`,
    fingerprint: project.fingerprint,
    addresses: { reach: 'loopback', setting: 'SLUICE_DESTINATIONS' },
  }
}

async function publish(version: string): Promise<Buffer> {
  const archive = archiveOf(miniRelease(version), `coreruleset-${version}/`)
  const name = `/coreruleset-${version}-minimal.tar.gz`
  pages.set(name, archive)
  pages.set(`${name}.asc`, await signed(archive, project))
  pages.set('/security.asc', project.armored)
  return archive
}

function serveList(list: unknown): void {
  pages.set('/releases', JSON.stringify(list))
}

function entry(version: string, digest?: string): Record<string, unknown> {
  const name = `coreruleset-${version}-minimal.tar.gz`
  const asset = (file: string) => ({ name: file, browser_download_url: `${base}/${file}` })
  return {
    tag_name: `v${version}`,
    draft: false,
    prerelease: false,
    assets: [{ ...asset(name), digest: digest ?? null }, asset(`${name}.asc`)],
  }
}

function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

async function signer(name: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKey({ userIDs: [{ name }], format: 'object' })
  return {
    key: privateKey,
    armored: publicKey.armor(),
    fingerprint: publicKey.getFingerprint().toUpperCase(),
  }
}

async function signed(bytes: Buffer, by: Signer): Promise<string> {
  const message = await createMessage({ binary: new Uint8Array(bytes) })
  return sign({ message, signingKeys: by.key, detached: true, format: 'armored' })
}
