import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { hasNats, startNats } from '../../../test/support/servers.ts'
import { readSettings } from '../../model/settings/index.ts'
import { installationId } from './keys.ts'
import { openRecordLog } from './record-log.ts'
import { openStore } from './stores.ts'

const skip = !hasNats && 'no nats-server'

/** An edge with these settings creates its streams. The last one, and the id of the installation. */
async function lastStream(t: TestContext, partitions: number, space: { readonly [name: string]: string }) {
  const data = await mkdtemp(join(tmpdir(), 'sluice-edge-'))
  const nats = await startNats()
  const read = readSettings({
    SLUICE_DATA: data,
    SLUICE_NATS_URL: nats.url,
    SLUICE_NATS_PARTITIONS: String(partitions),
    ...space,
  })
  assert.ok(read.ok)
  const store = await openStore(read.value, true)
  const log = await openRecordLog(read.value, ({ message }) => assert.fail(message), store)
  await log.forward!()
  const reader = await log.reader()
  while ((await reader.partitions()).length < partitions)
    await new Promise(resolve => setTimeout(resolve, 20))
  const connection = await connect({ servers: nats.url })
  t.after(async () => {
    await connection.close()
    await log.close()
    await store.close()
    await nats.close()
    await rm(data, { recursive: true, force: true })
  })
  const { config } = await (await jetstreamManager(connection)).streams.info(`SLUICE_RECORDS_${partitions}`)
  return { config, installation: await installationId(store) }
}

test('the streams that an edge creates name its installation and follow the settings', { skip }, async t => {
  const { config, installation } = await lastStream(t, 2, { SLUICE_NATS_BYTES: '2GiB' })
  assert.match(
    config.description ?? '',
    new RegExp(`${installation}, partition 2 of 2 \\(log [0-9a-f]{8}\\)$`),
  )
  assert.equal(config.max_bytes, 1024 ** 3)
})

test('a small spool leaves each stream enough space for the longest record', { skip }, async t => {
  const { config } = await lastStream(t, 8, { SLUICE_SPOOL_BYTES: '1MiB' })
  assert.equal(config.max_bytes, 2 * 1024 ** 2)
})
