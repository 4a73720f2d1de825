import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { hasNats, startNats } from '../../../test/support/servers.ts'
import { newRateMemory } from '../../bus/index.ts'
import { readGeoDatabases } from '../../edge/index.ts'
import { readSettings } from '../../model/settings/index.ts'
import { installationId } from '../state/keys.ts'
import { selfSignedOf } from '../state/self-signed.ts'
import { openStore } from '../state/stores.ts'
import { prepareEdge } from './run-edge.ts'

test('a stream that an edge creates names its installation', {
  skip: !hasNats && 'no nats-server',
}, async t => {
  const data = await mkdtemp(join(tmpdir(), 'sluice-edge-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  const nats = await startNats()
  t.after(() => nats.close())
  const read = readSettings({ SLUICE_DATA: data, SLUICE_NATS_URL: nats.url })
  assert.ok(read.ok)
  const store = await openStore(read.value, true)
  t.after(() => store.close())
  const input = {
    settings: read.value,
    partition: 'edge-1',
    geo: await readGeoDatabases([]),
    workers: 1,
    selfSigned: await selfSignedOf(data, Date.now()),
    rateMemory: newRateMemory(),
  }
  const edge = await prepareEdge(input, {
    store,
    snapshots: { snapshotFor: async () => undefined },
    changes: { subscribe: () => () => {} },
  })
  await edge.stop()
  const connection = await connect({ servers: nats.url })
  t.after(() => connection.close())
  const { config } = await (await jetstreamManager(connection)).streams.info('SLUICE_RECORDS')
  assert.ok(config.description?.endsWith(await installationId(store)), `${config.description}`)
})
