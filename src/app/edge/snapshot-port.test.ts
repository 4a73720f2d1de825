import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { serveSnapshots, snapshotsOver } from './snapshot-port.ts'

test('each question gets its own answer, and snapshots are shared', async t => {
  const { port1, port2 } = new MessageChannel()
  t.after(() => port1.close())
  const snapshot = new SharedArrayBuffer(8)
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  serveSnapshots(port1, {
    async snapshotFor(version, key) {
      if (key === 'late') await held
      if (key === 'broken') throw new Error('the rules do not compile')
      return version === 1 ? snapshot : undefined
    },
  })
  const snapshots = snapshotsOver(port2)
  const late = snapshots.snapshotFor(1, 'late')
  const [one, two, broken] = await Promise.all([
    snapshots.snapshotFor(1, 'rules'),
    snapshots.snapshotFor(2, 'other rules'),
    snapshots.snapshotFor(1, 'broken'),
  ])
  assert.deepEqual([two, broken], [undefined, undefined])
  new Uint8Array(snapshot)[3] = 7
  assert.equal(new Uint8Array(one!)[3], 7)
  release()
  assert.equal(new Uint8Array((await late)!)[3], 7)
})
