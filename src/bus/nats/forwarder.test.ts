import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { hasNats, startNats } from '../../../test/support/servers.ts'
import type { RecordLogFault, RecordReader } from '../index.ts'
import { defaultPolicy } from '../policy.ts'
import { openForwarding } from '../testing/nats.ts'
import { plenty } from '../testing/record-log-suite.ts'
import { usualOptions } from './options.ts'
import { Remote } from './remote.ts'

const skip = !hasNats && 'no nats-server'

test('a record that its stream can never have is dropped and reported; the others are forwarded', {
  skip,
}, async t => {
  const nats = await startNats()
  const connection = await connect({ servers: nats.url })
  t.after(async () => {
    await connection.close()
    await nats.close()
  })
  const { streams } = await jetstreamManager(connection)
  await streams.add({ name: 'SHORT_1', subjects: ['SHORT.1.>'], max_msg_size: 300_000 })
  const cases = [
    { name: 'SHORT', full: 'drop-oldest' },
    { name: 'OLDEST', full: 'drop-oldest' },
    { name: 'REFUSED', full: 'refuse-requests' },
  ] as const
  for (const { name, full } of cases) {
    const faults: RecordLogFault[] = []
    const log = openForwarding(
      nats.url,
      fault => faults.push(fault),
      { ...defaultPolicy, full },
      { stream: name, subject: name, bytes: 300_000 },
    )
    const writer = await log.writer('w')
    for (const record of ['1', '2'.padEnd(400_000), '3']) writer.append(record)
    await writer.flush()
    const reader = await log.reader()
    const records = await reader.read('nats-1', 0, plenty)
    assert.deepEqual(
      records.map(({ record }) => record),
      ['1', '3'],
      name,
    )
    assert.deepEqual(
      faults.map(({ code, dropped }) => [code, dropped]),
      [['dropped', 1]],
      name,
    )
    assert.match(faults[0]!.message, new RegExp(`400000 bytes is longer than the stream ${name}_1 takes`))
    await log.close()
  }
})

test('a partition that cannot be read does not make the forwarder read another twice at once', {
  skip,
}, async t => {
  const nats = await startNats()
  const directory = mkdtempSync(join(tmpdir(), 'sluice-forwarder-'))
  const faults: RecordLogFault[] = []
  const remote = new Remote(nats.url, fault => faults.push(fault), defaultPolicy, {
    ...usualOptions,
    partitions: 1,
  })
  t.after(async () => {
    await remote.close()
    await nats.close()
    rmSync(directory, { recursive: true })
  })
  let [underWay, most, reads] = [0, 0, 0]
  const spool: Pick<RecordReader, 'partitions' | 'stats' | 'read'> = {
    partitions: async () => ['damaged.00000000', 'slow.00000000'],
    stats: async () =>
      (await spool.partitions()).map(partition => ({
        partition,
        bytes: 0,
        oldestMs: null,
        first: 1,
        head: 0,
        delivered: 0,
        dropped: 0,
      })),
    async read(partition) {
      if (partition === 'damaged.00000000') throw new Error('the disk cannot be read')
      most = Math.max(most, ++underWay)
      await sleep(300)
      underWay--
      reads++
      return []
    },
  }
  remote.forward(spool as RecordReader, directory, () => true)
  while (reads < 3) await sleep(20)
  assert.equal(most, 1)
  assert.match(faults[0]!.message, /the disk cannot be read/)
})
