import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import type { Change } from '../../bus/index.ts'
import { StoreError } from '../../store/index.ts'
import { aZone } from '../../store/testing/data.ts'
import { type EdgeStore, SharedAnswers } from './edge-store.ts'
import { primaryOver, servePrimary } from './primary-port.ts'

const change: Change = { kind: 'zone', id: 'a', sequence: 1, mark: '' }
const snapshot = new SharedArrayBuffer(8)

/** Two workers of a primary thread with this store. */
function workersOf(t: TestContext, store: unknown) {
  const subscribers = new Set<(change: Change) => void>()
  const changes = {
    subscribe(onChange: (change: Change) => void) {
      subscribers.add(onChange)
      return () => void subscribers.delete(onChange)
    },
  }
  const { answer: ask } = new SharedAnswers(store as EdgeStore, changes)
  const snapshots = {
    async snapshotFor(version: number) {
      if (version === 3) throw new Error('the rules do not compile')
      return version === 1 ? snapshot : undefined
    },
  }
  const workers = [1, 2].map(() => {
    const { port1, port2 } = new MessageChannel()
    t.after(() => port1.close())
    servePrimary(port1, { ask, snapshots, changes })
    return primaryOver(port2)
  })
  return {
    one: workers[0]!,
    two: workers[1]!,
    subscribers,
    announce() {
      for (const subscriber of subscribers) subscriber(change)
    },
  }
}

test('workers that ask the same share an answer until the next change, regardless of earlier calls', async t => {
  let reads = 0
  const store = {
    zones: { get: async (id: string) => ({ ...aZone('a'), id, revision: ++reads }) },
    acme: { want: async () => {} },
  }
  const { one, two, announce } = workersOf(t, store)
  const revisions = async () => {
    const zones = await Promise.all([one, two].map(({ store }) => store.zones.get('z')))
    return zones.map(zone => (zone as unknown as { revision: number }).revision)
  }
  assert.deepEqual(await revisions(), [1, 1])
  await one.store.acme.want('z', 'shop.test', 0)
  announce()
  assert.deepEqual(await revisions(), [2, 2])
})

test('writes are never shared, and a failure is not kept', async t => {
  let asked = 0
  const store = {
    acme: { want: async () => void asked++ },
    certificates: {
      async served() {
        if (++asked === 3) throw new StoreError('unavailable', 'the database does not answer')
        return []
      },
    },
  }
  const { one, two } = workersOf(t, store)
  await Promise.all([one, two].map(({ store }) => store.acme.want('z', 'shop.test', 0)))
  assert.equal(asked, 2)
  await assert.rejects(
    one.store.certificates.served(),
    (error: unknown) => error instanceof StoreError && error.code === 'unavailable',
  )
  assert.deepEqual(await one.store.certificates.served(), [])
})

test('workers hear of changes, and share snapshots of programs', async t => {
  const { one, two, announce } = workersOf(t, {})
  const heard = [one, two].map(
    ({ changes }) =>
      new Promise<Change>(resolve => {
        changes.subscribe(resolve)
      }),
  )
  announce()
  assert.deepEqual(await Promise.all(heard), [change, change])
  const [first, second] = await Promise.all(
    [one, two].map(({ snapshots }) => snapshots.snapshotFor(1, 'key')),
  )
  new Uint8Array(first!)[3] = 7
  assert.equal(new Uint8Array(second!)[3], 7)
  assert.equal(await one.snapshots.snapshotFor(2, 'other'), undefined)
  await assert.rejects(one.snapshots.snapshotFor(3, 'broken'), /do not compile/)
})
