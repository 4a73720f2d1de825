import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { openSqliteStore, type Store } from '../../store/index.ts'
import { testCipher } from '../../store/testing/data.ts'
import { isSnapshot } from '../../waf/index.ts'
import { CrsError } from '../crs-error.ts'
import { importBundle } from '../import-bundle.ts'
import { installedRules } from '../installed-rules.ts'
import { crsLimits } from '../limits.ts'
import { miniRelease } from '../testing/release.ts'
import { KeptSnapshots } from './kept-snapshots.ts'
import { createPrograms } from './programs.ts'
import { SnapshotCache } from './snapshot-cache.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'

const setup = 'SecAction "id:900991,phase:1,nolog,pass,setvar:tx.crs_setup_version=2"'

let dir = ''
let data = ''
let cache = ''
let store: Store
let runs = 0

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-snapshots-'))
  store = await openSqliteStore(join(dir, 'store.sqlite'), { migrate: true, cipher: testCipher })
  const files = Array.from(miniRelease('4.98.0'), ([name, text]) => ({ name, text }))
  await importBundle(
    store,
    { crsVersion: '4.98.0', files, origin: 'test' },
    undefined,
    new KeptSnapshots(dir),
  )
})
after(async () => {
  await store.close()
  await rm(dir, { recursive: true })
})
beforeEach(async () => {
  data = join(dir, `data-${++runs}`)
  cache = join(data, 'crs-cache')
  await store.crs.setSetup(undefined)
})

async function snapshotFrom(snapshots: Snapshots): Promise<SharedArrayBuffer> {
  const { key } = await installedRules(store, 1)
  const snapshot = await snapshots.snapshotFor(1, key)
  assert.ok(snapshot !== undefined && isSnapshot(snapshot))
  return snapshot
}

/** Snapshots of a process that cannot compile. */
function withoutRules(): Snapshots {
  const files = () => assert.fail('the rules were read')
  return createSnapshots({ ...store, crs: { ...methodsOf(store.crs), files } }, data)
}

function methodsOf(crs: Store['crs']): Store['crs'] {
  return { ...crs, byVersion: version => crs.byVersion(version), setup: () => crs.setup() }
}

async function onlyFile(): Promise<string> {
  const names = await readdir(cache)
  assert.equal(names.length, 1)
  return join(cache, names[0]!)
}

test('a snapshot is made once, kept in memory and on disk, and read by the next process', async () => {
  const snapshots = createSnapshots(store, data)
  const [one, same] = await Promise.all([snapshotFrom(snapshots), snapshotFrom(snapshots)])
  assert.equal(one, same)
  const path = await onlyFile()
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(new Uint8Array(await readFile(path)), new Uint8Array(one))
  assert.deepEqual(new Uint8Array(await snapshotFrom(withoutRules())), new Uint8Array(one))
})

test('an import stores the snapshot for the threads that run it', async () => {
  data = dir
  assert.ok(await snapshotFrom(withoutRules()))
})

test('a file that is damaged, cut short or empty is replaced', async () => {
  const good = new Uint8Array(await snapshotFrom(createSnapshots(store, data)))
  const path = await onlyFile()
  const damaged = good.slice()
  damaged[damaged.length >> 1]! ^= 1
  for (const bytes of [damaged, good.subarray(0, good.length - 4), new Uint8Array(0)]) {
    await writeFile(path, bytes)
    assert.deepEqual(new Uint8Array(await snapshotFrom(createSnapshots(store, data))), good)
    assert.deepEqual(new Uint8Array(await readFile(await onlyFile())), good)
  }
})

test('other rules are another snapshot; a request from before a change of the setup gets none', async () => {
  const snapshots = createSnapshots(store, data)
  const first = await snapshotFrom(snapshots)
  const { key } = await installedRules(store, 1)
  await store.crs.setSetup(setup)
  assert.equal(await snapshots.snapshotFor(1, key), undefined)
  assert.notDeepEqual(new Uint8Array(await snapshotFrom(snapshots)), new Uint8Array(first))
  assert.equal((await readdir(cache)).length, 2)
})

test('a folder that cannot be used only costs time', async () => {
  await writeFile(data, 'a file')
  await snapshotFrom(createSnapshots(store, data))
})

test('rules that do not compile are refused', async () => {
  await store.crs.setSetup('SecAction "id:900991,phase:1,nolog,pas"')
  const { key } = await installedRules(store, 1)
  await assert.rejects(
    createSnapshots(store, data).snapshotFor(1, key),
    error => error instanceof CrsError && error.code === 'does-not-compile',
  )
  await assert.rejects(createSnapshots(store, data).snapshotFor(2, key), /2/)
})

test('the cache keeps the newest snapshots', async () => {
  const folder = new SnapshotCache(cache)
  const { snapshotsMax } = crsLimits
  for (let i = 0; i <= snapshotsMax; i++) await folder.write(String(i), new SharedArrayBuffer(4 * i))
  assert.equal((await readdir(cache)).length, snapshotsMax)
  assert.equal((await folder.read(String(snapshotsMax)))?.byteLength, 4 * snapshotsMax)
  assert.equal(await folder.read('unknown'), undefined)
})

test('programs load from snapshots, and are compiled when no snapshot can be used', async () => {
  const { key } = await installedRules(store, 1)
  const snapshot = await snapshotFrom(createSnapshots(store, data))
  const asked: unknown[] = []
  const rows: readonly [name: string, snapshotFor: Snapshots['snapshotFor']][] = [
    ['a snapshot', async () => snapshot],
    ['none', async () => undefined],
    ['one of another version', async () => new SharedArrayBuffer(64)],
    ['one that cannot be read', async () => snapshot.slice(0, snapshot.byteLength - 4)],
    ['a failure', () => Promise.reject(new Error('the thread is gone'))],
  ]
  for (const [name, snapshotFor] of rows) {
    const programs = createPrograms(store, {
      snapshotFor(...key) {
        asked.push(key)
        return snapshotFor(...key)
      },
    })
    const [program, same] = await Promise.all([programs.programFor(1), programs.programFor(1)])
    assert.equal(program, same)
    assert.ok(
      program.rules.some(rule => rule.id === 913100),
      name,
    )
  }
  assert.deepEqual(
    asked,
    rows.map(() => [1, key]),
  )
})
