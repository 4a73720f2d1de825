import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { startNats } from '../../../test/support/servers.ts'
import type { RecordReader } from '../index.ts'
import { defaultPolicy, type LogPolicy } from '../policy.ts'
import { openForwarding, openNats } from '../testing/nats.ts'
import { plenty } from '../testing/record-log-suite.ts'

const available = spawnSync('nats-server', ['--version']).status === 0
if (!available)
  console.error('NOT TESTED: a stream that is replaced during a read: nats-server is not installed')
const skip = available ? false : 'no nats-server on the path'

describe('a stream that is deleted and created again while a request is on its way', { skip }, () => {
  test('its records belong to the new log only', async t => {
    const { network, replace, send, reader } = await opened(t)
    await send('old 1', 'old 2', 'old 3')
    const [before] = await reader.partitions()
    network.beforeNext('CONSUMER.CREATE', async () => {
      await replace()
      await send('new 1', 'new 2')
    })
    assert.deepEqual(await reader.read(before!, 1, plenty), [], 'none under the name of the old log')
    const [after] = await reader.partitions()
    assert.notEqual(after, before)
    assert.deepEqual(await texts(reader, after!), ['new 1', 'new 2'])
  })

  test('none of its records is removed in place of old ones', async t => {
    const { network, replace, send, reader } = await opened(t, { ...defaultPolicy, ageMs: 0 })
    await send('old 1', 'old 2', 'old 3')
    const [before] = await reader.partitions()
    network.beforeNext('CONSUMER.CREATE', replace)
    network.beforeNext('CONSUMER.DELETE', () => send('new 1', 'new 2'))
    await reader.release(before!, 3)
    const [after] = await reader.partitions()
    assert.deepEqual(await texts(reader, after!), ['new 1', 'new 2'])
  })
})

/** A writer on a fast network, and a reader on a slow one. */
async function opened(t: TestContext, policy: LogPolicy = defaultPolicy) {
  const nats = await startNats()
  const network = await slowNetwork(nats.url)
  const direct = openForwarding(nats.url)
  const slow = openNats(network.url, () => {}, policy)
  t.after(async () => {
    await Promise.all([direct.close(), slow.close()])
    await network.close()
    await nats.close()
  })
  const writer = await direct.writer('w')
  return {
    network,
    reader: await slow.reader(),
    async send(...records: readonly string[]) {
      for (const record of records) writer.append(record)
      await writer.flush()
    },
    replace: () => replaceStream(nats.url),
  }
}

async function texts(reader: RecordReader, partition: string): Promise<string[]> {
  return (await reader.read(partition, 0, plenty)).map(({ record }) => record)
}

/** A network between a client and a server, on which a request can be on its way for long. */
async function slowNetwork(url: string) {
  const { hostname, port } = new URL(url)
  const delays: { readonly text: string; readonly until: () => Promise<void> }[] = []
  const server = createServer(async client => {
    const upstream = connect(Number(port), hostname)
    upstream.pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    for await (const data of client as AsyncIterable<Buffer>) {
      const [next] = delays
      if (next !== undefined && data.includes(next.text)) {
        delays.shift()
        await next.until()
      }
      upstream.write(data)
    }
    upstream.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Holds the next request with this text back until something has happened; several in their order. */
    beforeNext(text: string, until: () => Promise<void>) {
      delays.push({ text, until })
    },
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

async function replaceStream(url: string): Promise<void> {
  const connection = await connectNats({ servers: url })
  try {
    const { streams } = await jetstreamManager(connection)
    const { config } = await streams.info('SLUICE_RECORDS_1')
    await streams.delete(config.name)
    // The server may still be removing its files.
    await sleep(500)
    // With another mark, as a forwarder creates it.
    await streams.add({ ...config, description: 'Log records of Sluice (log 0a1b2c3d)' })
  } finally {
    await connection.close()
  }
}
