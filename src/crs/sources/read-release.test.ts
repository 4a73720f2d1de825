import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { digestOf } from '../bundle.ts'
import type { CrsError } from '../crs-error.ts'
import { crsLimits } from '../limits.ts'
import { archiveOf, miniRelease, writeTree } from '../testing/release.ts'
import { readArchive } from './archive.ts'
import { readRelease } from './directory.ts'

let dir = ''
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-crs-'))
})
after(() => rm(dir, { recursive: true }))

const wanted = [
  'crs-setup.conf.example',
  'rules/REQUEST-901-INITIALIZATION.conf',
  'rules/REQUEST-913-SCANNERS.conf',
  'rules/REQUEST-949-BLOCKING-EVALUATION.conf',
  'rules/scanners.data',
]

test('directory and archive give the same files, version and digest', async () => {
  const files = miniRelease('4.99.0')
  const tree = await writeTree(join(dir, 'upstream'), files)
  const packed = join(dir, 'coreruleset-4.99.0-minimal.tar.gz')
  await writeFile(packed, archiveOf(files, 'coreruleset-4.99.0/'))
  const flat = join(dir, 'flat.tar.gz')
  await writeFile(flat, archiveOf(files, './'))
  const bundles = [await readRelease(tree), await readRelease(packed), await readRelease(flat)]
  for (const bundle of bundles) {
    assert.equal(bundle.crsVersion, '4.99.0')
    assert.deepEqual(
      bundle.files.map(file => file.name),
      wanted,
    )
    assert.equal(digestOf(bundle.files), digestOf(bundles[0]!.files))
  }
  const other = await readRelease(
    await writeTree(join(dir, 'other'), new Map([...files, ['rules/scanners.data', 'zap']])),
  )
  assert.notEqual(digestOf(other.files), digestOf(bundles[0]!.files))
})

test('plugins and included files come with the release, from directory and archive alike', async () => {
  const files = miniRelease('4.99.0', {
    'plugins/empty-before.conf': '',
    'plugins/shop-after.conf': 'SecRuleRemoveById 913100',
    'plugins/shop-before.conf': 'SecRule ARGS "@pmFromFile shop.data lists/more.txt" "id:1"',
    'plugins/shop-config.conf': 'IncludeOptional ../local/*.conf\nIncludeOptional /etc/hostname',
    'plugins/shop.data': 'a',
    'plugins/lists/more.txt': 'b',
    'plugins/unused.data': 'c',
    'plugins/notes.conf': 'Not SecLang',
    'local/one.conf': 'Include deeper/two.conf\nInclude ../../outside.conf',
    'local/deeper/two.conf': 'SecRule REMOTE_ADDR "@ipMatchFromFile nets.txt" "id:2"',
    'local/deeper/nets.txt': '192.0.2.0/24',
    'local/deeper/three.conf': '',
  })
  const tree = await writeTree(join(dir, 'with-plugins/release'), files)
  await writeFile(join(dir, 'with-plugins/outside.conf'), 'SecMarker OUTSIDE')
  const packed = join(dir, 'with-plugins.tar.gz')
  await writeFile(packed, archiveOf(files, 'coreruleset-4.99.0/'))
  for (const path of [tree, packed]) {
    const bundle = await readRelease(path)
    assert.deepEqual(
      bundle.files.map(file => file.name),
      [
        wanted[0],
        'local/deeper/nets.txt',
        'local/deeper/two.conf',
        'local/one.conf',
        'plugins/empty-before.conf',
        'plugins/lists/more.txt',
        'plugins/shop-after.conf',
        'plugins/shop-before.conf',
        'plugins/shop-config.conf',
        'plugins/shop.data',
        ...wanted.slice(1),
      ],
    )
  }
})

test('a custom setup replaces the example', async () => {
  const files = miniRelease('4.99.0', { 'crs-setup.conf': '# mine' })
  const { files: read } = await readRelease(await writeTree(join(dir, 'own-setup'), files))
  assert.deepEqual(
    read.filter(f => f.name.startsWith('crs-setup')),
    [{ name: 'crs-setup.conf', text: '# mine' }],
  )
})

test('Debian’s package keeps setup and exclusions below /etc', async () => {
  const files = new Map<string, string>()
  for (const [name, text] of miniRelease('3.3.4')) {
    if (name.startsWith('rules/')) files.set(`usr/share/modsecurity-crs/${name}`, text)
  }
  files.set('usr/share/modsecurity-crs/owasp-crs.load', 'Include /etc/modsecurity/crs/crs-setup.conf')
  files.set('etc/modsecurity/crs/crs-setup.conf', '# setup')
  files.set('etc/modsecurity/crs/REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf', '# before')
  files.set('etc/modsecurity/crs/RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf', '# after')
  const root = await writeTree(join(dir, 'debian'), files)
  const { files: read } = await readRelease(join(root, 'usr/share/modsecurity-crs'))
  assert.deepEqual(
    read.map(file => file.name),
    [
      'crs-setup.conf',
      'rules/REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf',
      ...wanted.slice(1, 4),
      'rules/RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf',
      'rules/scanners.data',
    ],
  )
})

test('a path without a release is refused', async () => {
  const zip = join(dir, 'x.zip')
  await writeFile(zip, 'PK\u0003\u0004')
  const damaged = join(dir, 'damaged.tar.gz')
  await writeFile(damaged, archiveOf(miniRelease('4.99.0'), 'x/').subarray(0, 400))
  const noTar = join(dir, 'no-tar.tar.gz')
  await writeFile(noTar, gzipSync('x'.repeat(2000)))
  const empty = await writeTree(join(dir, 'empty'), new Map([['README', 'x']]))
  const rows = [
    { path: join(dir, 'missing'), code: 'not-found' },
    { path: zip, code: 'not-a-release' },
    { path: damaged, code: 'not-a-release' },
    { path: noTar, code: 'not-a-release' },
    { path: empty, code: 'not-a-release' },
  ]
  for (const { path, code } of rows) await refused(readRelease(path), code, path)
})

test('limits: size of a file, number of files, size when unpacked', async () => {
  const sized = (bytes: number) =>
    archiveOf(miniRelease('4.99.0', { 'rules/big.data': 'x'.repeat(bytes) }), 'r/')
  await readArchive(sized(crsLimits.fileBytesMax), 'at the limit')
  await refused(readArchive(sized(crsLimits.fileBytesMax + 1), 'above'), 'too-large', 'file size')

  const counted = (count: number) => {
    const files = miniRelease('4.99.0')
    for (let i = wanted.length; i < count; i++) files.set(`rules/x${i}.data`, '')
    return files
  }
  await readArchive(archiveOf(counted(crsLimits.filesMax), 'r/'), 'at the limit')
  await refused(readArchive(archiveOf(counted(crsLimits.filesMax + 1), 'r/'), 'above'), 'too-large', 'files')
  const tree = await writeTree(join(dir, 'many'), counted(crsLimits.filesMax + 1))
  await refused(readRelease(tree), 'too-large', 'files of a directory')

  const bomb = gzipSync(Buffer.alloc(crsLimits.unpackedBytesMax + 1))
  await refused(readArchive(bomb, 'bomb'), 'too-large', 'unpacked size')
})

async function refused(promise: Promise<unknown>, code: string, what: string): Promise<void> {
  await assert.rejects(promise, error => (error as CrsError).code === code, what)
}
