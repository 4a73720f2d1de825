import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../src/kit/testing/free-port.ts'

import { miniCrs } from '../test/support/mini-crs.ts'
import { discard } from '../test/support/sluice.ts'
import type { IdleOrder, IdleProtocol } from './support/idle-load.ts'
import { machineLine } from './support/machine.ts'
import { startProduct } from './support/product.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Memory of idle connections: each has had one response. Growth of the resident memory of the whole process.

  npm run bench:idle [-- --connections N] [--protocol WORDS]

One edge worker; the clients are a separate process. The process may need \`ulimit -n\` above the number of connections.
\`--protocol\` selects protocols by words of their names. Each protocol has a new Sluice.
`

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    protocol: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
})

const protocols: readonly IdleProtocol[] = ['HTTP/1.1', 'TLS 1.3, HTTP/1.1', 'TLS 1.3, HTTP/2']
const settledMs = 5000
/** Connections that open and close before, so that code is compiled and buffers of the start are there. */
const warmUp = 500

async function main(): Promise<void> {
  if (options.help) return void process.stdout.write(help)
  console.log(machineLine())
  const titles = ['protocol', 'connections', 'MB before', 'MB after', 'KB each']
  // Each protocol takes minutes.
  for (const protocol of protocols.filter(name => name.includes(options.protocol)))
    console.log(formatTable(titles, [[protocol, ...(await measured(protocol, Number(options.connections)))]]))
}

async function measured(protocol: IdleProtocol, connections: number): Promise<string[]> {
  const tlsPort = await freePort()
  const sluice = await startProduct({
    settings: {
      SLUICE_CRS: await miniCrs(),
      SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${tlsPort}`,
      SLUICE_CLIENT_CONNECTIONS: '65535',
    },
  })
  const clients = fork(join(import.meta.dirname, 'support', 'idle-load.ts'))
  try {
    const port = protocol === 'HTTP/1.1' ? sluice.edgePort : tlsPort
    const order = { port, protocol, host: 'localhost' } as const
    await opened(clients, { ...order, connections: warmUp })
    clients.send('close')
    await once(clients, 'message')
    await sleep(settledMs)
    const before = residentMegabytes(sluice.pid)
    const open = await opened(clients, { ...order, connections })
    await sleep(settledMs)
    const after = residentMegabytes(sluice.pid)
    return [String(open), figure(before), figure(after), figure(((after - before) * 1000) / open)]
  } finally {
    clients.disconnect()
    await discard(sluice)
  }
}

async function opened(clients: ChildProcess, order: IdleOrder): Promise<number> {
  clients.send(order)
  const [open] = (await once(clients, 'message')) as [number]
  return open
}

/** Of another process, as Linux reports it. */
function residentMegabytes(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1])
  return (pages * 4096) / 1e6
}

await main()
