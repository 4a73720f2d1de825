import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../test/support/eventually.ts'
import { newCipher } from '../../kit/cipher.ts'
import { openSqliteStore } from '../../store/index.ts'
import { watchEdgeLog } from './log-watch.ts'

/** The database's clock goes on as usual: a registration outlives the test. */
const beatMs = 600_000

test('an edge without delivery of its records warns once, and reports when delivery begins', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-edge-log-'))
  const cipher = newCipher(new Uint8Array(32))
  const store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher })
  const lines: string[] = []
  const logger = pino(
    { base: null },
    { write: line => lines.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const process = { id: 'b/1', location: 'b', log: 'spool-b' }
  await store.leases.beat(process, beatMs, true)
  t.mock.timers.enable({ apis: ['setInterval'] })
  let looks = 0
  const live = () => {
    looks++
    return store.logs.live()
  }
  const watched = { ...store, logs: { ...store.logs, live } }
  const stop = watchEdgeLog({
    store: watched,
    log: 'spool-a',
    location: 'a',
    remedy: 'start one',
    logger,
    beatMs,
  })
  t.after(async () => {
    await stop()
    await store.close()
    await rm(directory, { recursive: true })
  })
  const beatUntil = (holds: () => void) =>
    eventually(() => {
      t.mock.timers.tick(beatMs)
      holds()
    })
  await beatUntil(() => assert.ok(looks > 6))
  assert.deepEqual(lines, ['no process delivers the records of this edge; they wait: start one'])
  assert.deepEqual((await store.logs.live()).written, ['spool-a'])
  await store.leases.beat({ ...process, id: 'a/1', location: 'a', log: 'spool-a' }, beatMs, true)
  await beatUntil(() => assert.equal(lines[1], 'a process delivers the records of this edge now'))
  await stop()
  assert.deepEqual((await store.logs.live()).written, [])
})
