import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { startNats } from '../../../test/support/servers.ts'
import { openNatsRecordLog } from '../index.ts'
import { plenty } from '../testing/record-log-suite.ts'

const available = spawnSync('nats-server', ['--version']).status === 0
if (!available) console.error('NOT TESTED: a stream that is replaced during a read: nats-server is not installed')
const skip = available ? false : 'no nats-server on the path'

test('a stream that is replaced during a read: its records belong to the new log only', { skip }, async t => {
  const nats = await startNats()
  const network = await slowNetwork(nats.url)
  const direct = await openNatsRecordLog(nats.url, () => {})
  const slow = await openNatsRecordLog(network.url, () => {})
  t.after(async () => {
    await Promise.all([direct.close(), slow.close()])
    await network.close()
    await nats.close()
  })
  const send = async (...records: readonly string[]) => {
    const writer = await direct.writer('w')
    for (const record of records) writer.append(record)
    await writer.flush()
  }
  await send('old 1', 'old 2', 'old 3')
  const reader = await slow.reader()
  const [before] = await reader.partitions()
  network.beforeNext('CONSUMER.CREATE', async () => {
    await replaceStream(nats.url)
    await (await direct.reader()).partitions()
    await send('new 1', 'new 2')
  })
  const stale = await reader.read(before!, 1, plenty).catch(() => [])
  assert.deepEqual(stale, [], 'none of the new log under the name of the old one')
  const [after] = await reader.partitions()
  assert.notEqual(after, before)
  const records = await reader.read(after!, 0, plenty)
  assert.deepEqual(
    records.map(({ record }) => record),
    ['new 1', 'new 2'],
  )
})

/** A network between a client and a server, on which a request can be on its way for long. */
async function slowNetwork(url: string) {
  const { hostname, port } = new URL(url)
  let delay: { readonly text: string; readonly until: () => Promise<void> } | undefined
  const server = createServer(async client => {
    const upstream = connect(Number(port), hostname)
    upstream.pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    for await (const data of client as AsyncIterable<Buffer>) {
      const held = delay !== undefined && data.includes(delay.text) ? delay : undefined
      if (held !== undefined) {
        delay = undefined
        await held.until()
      }
      upstream.write(data)
    }
    upstream.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Holds the next request with this text back until something has happened. */
    beforeNext(text: string, until: () => Promise<void>) {
      delay = { text, until }
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
    await (await jetstreamManager(connection)).streams.delete('SLUICE_RECORDS')
  } finally {
    await connection.close()
  }
}
