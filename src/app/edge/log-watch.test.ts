import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { newCipher } from '../../kit/cipher.ts'
import { openSqliteStore } from '../../store/index.ts'
import { watchEdgeLog } from './log-watch.ts'

test('an edge without delivery of its records warns once, and reports when delivery begins', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-edge-log-'))
  const cipher = newCipher(new Uint8Array(32))
  const store = await openSqliteStore(join(directory, 'sluice.db'), { migrate: true, cipher })
  t.after(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  const lines: string[] = []
  const logger = pino(
    { base: null },
    { write: line => lines.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const process = { id: 'b/1', location: 'b', log: 'spool-b' }
  await store.leases.beat(process, 600_000, true)
  const stop = watchEdgeLog({ store, log: 'spool-a', location: 'a', remedy: 'start one', logger, beatMs: 10 })
  const until = async (count: number) => {
    while (lines.length < count) await sleep(5)
  }
  await until(1)
  await sleep(60)
  assert.deepEqual(lines, ['no process delivers the records of this edge; they wait: start one'])
  assert.deepEqual((await store.logs.live()).written, ['spool-a'])
  await store.leases.beat({ ...process, id: 'a/1', location: 'a', log: 'spool-a' }, 600_000, true)
  await until(2)
  assert.equal(lines[1], 'a process delivers the records of this edge now')
  await stop()
  assert.deepEqual((await store.logs.live()).written, [])
})
