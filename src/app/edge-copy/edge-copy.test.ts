import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createChangeFeed } from '../../bus/index.ts'
import { newCipher } from '../../kit/cipher.ts'
import type { Rollout } from '../../model/rollout.ts'
import { openSqliteStore, type Store, StoreError } from '../../store/index.ts'
import { anAccount, aZone, testCipher } from '../../store/testing/data.ts'
import type { EdgeStore } from '../edge/edge-store.ts'
import { StagedChanges } from '../rollout/staged-changes.ts'
import { EdgeCopy } from './edge-copy.ts'
import { type OwnFile, openOwnFile } from './own-file.ts'

const program = '1.0/1'
const account = anAccount()

let folder: string
let store: Store
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-edge-copy-'))
  store = await newStore('database')
})
after(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function newStore(name: string): Promise<Store> {
  const opened = await openSqliteStore(join(folder, `${name}.db`), { migrate: true, cipher: testCipher })
  await opened.accounts.insert(account)
  return opened
}

/** A process with the files of `name`. */
class Process {
  readonly #own: OwnFile
  readonly copy: EdgeCopy
  readonly errors: unknown[] = []
  everywhere: number | undefined

  static async start(name: string, live: EdgeStore, cipher = testCipher, version = program) {
    const own = await openOwnFile(join(folder, name), cipher, version, (_path, error) =>
      assert.fail(`${error}`),
    )
    return new Process(own, live, version)
  }

  private constructor(own: OwnFile, live: EdgeStore, version: string) {
    this.#own = own
    this.copy = new EdgeCopy(live, {
      file: own.file,
      program: version,
      everywhere: () => this.everywhere,
      onError: error => this.errors.push(error),
    })
  }

  /** Reads the changes up to now. */
  async catchUp({ changes }: Store): Promise<void> {
    const feed = await createChangeFeed(changes, error => assert.fail(`${error}`), this.copy)
    await feed.close()
  }

  async zones(): Promise<string[]> {
    return (await this.copy.store.zones.list()).map(({ name }) => name).sort()
  }

  close(): void {
    this.#own.close()
  }
}

/** The database of a process that must not ask it. */
const away = new Proxy({} as EdgeStore, {
  get() {
    throw new StoreError('unavailable', 'the database is away')
  },
})

async function add(to: Store, ...names: string[]): Promise<void> {
  for (const name of names) await to.zones.insert(aZone(account.id, { name }))
}

test('each process writes its own file, and begins with the newest copy', async () => {
  await add(store, 'first.test')
  const old = await Process.start('own', store)
  await old.catchUp(store)
  const next = await Process.start('own', away)
  assert.deepEqual(await next.zones(), ['first.test'])
  await add(store, 'second.test')
  await old.catchUp(store)
  assert.deepEqual(await next.zones(), ['first.test'], 'it has not heard of the change yet')
  old.close()
  next.close()
  const last = await Process.start('own', away)
  assert.deepEqual(await last.zones(), ['first.test', 'second.test'])
  last.close()
  const left = (await readdir(join(folder, 'own'))).filter(name => name.endsWith('.sqlite'))
  assert.deepEqual(left, ['1.sqlite'])
})

test('a copy of another key or another program is not used', async () => {
  const writer = await Process.start('other', store)
  await writer.catchUp(store)
  assert.notEqual(writer.copy.last, undefined)
  writer.close()
  const otherKey = await Process.start('other', away, newCipher(new Uint8Array(32).fill(9)))
  assert.equal(otherKey.copy.last, undefined)
  otherKey.close()
  const otherProgram = await Process.start('other', away, testCipher, '2.0/1')
  assert.equal(otherProgram.copy.last, undefined)
  otherProgram.close()
})

test('after a restore, the older state of the database replaces a newer copy', async () => {
  const before = await Process.start('restored', store)
  await add(store, 'lost.test')
  await before.catchUp(store)
  before.close()
  const restored = await newStore('restored')
  await add(restored, 'kept.test')
  const process = await Process.start('restored', restored)
  await process.catchUp(restored)
  assert.deepEqual(await process.zones(), ['kept.test'])
  process.close()
  await restored.close()
})

test('an edge goes back to the documents from before a change that was withdrawn', async () => {
  const name = 'staged'
  const first = await Process.start(name, store)
  await first.catchUp(store)
  const earlier = await first.zones()
  let rollout: Rollout = {
    state: 'idle',
    everywhere: await store.changes.head(),
    staged: 0,
    first: ['first'],
    beganMs: 0,
    lastMs: 0,
    reason: '',
  }
  const staged = new StagedChanges(store.changes, { get: async () => ({ rollout, revision: 1 }) }, 'first')
  const other = new StagedChanges(store.changes, { get: async () => ({ rollout, revision: 1 }) }, 'other')
  let waits = 0
  other.onWaiting(() => waits++)
  first.everywhere = rollout.everywhere
  await add(store, 'bad.test')
  assert.deepEqual(await other.after(rollout.everywhere), [])
  assert.equal(waits, 1)
  await first.catchUp({ ...store, changes: staged })
  assert.deepEqual(await first.zones(), [...earlier, 'bad.test'].sort())
  first.close()
  rollout = { ...rollout, state: 'halted' }
  const restarted = await Process.start(name, away)
  await restarted.catchUp({ ...store, changes: staged })
  assert.deepEqual(await restarted.zones(), earlier)
  restarted.close()
})

test('a file that cannot be read leaves the answers to the database', async () => {
  const damaged = await Process.start('damaged', store)
  await damaged.catchUp(store)
  damaged.close()
  assert.deepEqual(await damaged.zones(), (await store.zones.list()).map(({ name }) => name).sort())
  assert.equal(damaged.errors.length, 1)
})
