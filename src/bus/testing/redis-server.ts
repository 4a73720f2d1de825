import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../kit/testing/free-port.ts'

const program = ['valkey-server', 'redis-server'].find(name => spawnSync(name, ['--version']).status === 0)

/** For the option `skip` of tests. */
export const noRedis = program === undefined ? 'no valkey-server or redis-server on the path' : false

if (noRedis !== false) console.error(`NOT TESTED: counters that machines share: ${noRedis}`)

/** A Redis or Valkey server in memory: it forgets everything when it is stopped. */
export interface RedisServer {
  readonly port: number
  /** `redis://127.0.0.1:PORT` */
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Keeps its connections and answers nothing, until `resume`. */
  pause(): void
  resume(): void
}

/** @param flags as in its configuration file */
export async function startRedis(flags: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort()
  let server: ChildProcess
  const start = async () => {
    const usual = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--daemonize', 'no']
    server = spawn(program!, [...usual, ...flags], { stdio: 'ignore' })
    while (!(await accepts(port))) {
      if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}`)
      await sleep(10)
    }
  }
  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
