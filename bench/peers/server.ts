import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

/** A peer: a web server with ModSecurity. */
export interface Peer {
  /** `nginx 1.30.6-2, libmodsecurity3t64 3.0.16-1`. */
  readonly name: string
  /**
   * Starts one worker that answers every request with an empty 200.
   * @param rules file of the rules; undefined: none, and ModSecurity is off
   * @param directory for the server's files
   */
  start(rules: string | undefined, directory: string): Promise<PeerServer>
}

/** Ticks of the clock in which Linux counts processor time. */
const TICK_MICROSECONDS = 10_000
const startMsMax = 60_000
const stopMsMax = 5_000

/** A running server, in one process. */
export class PeerServer {
  readonly port: number
  readonly #process: ChildProcess

  private constructor(port: number, child: ChildProcess) {
    this.port = port
    this.#process = child
  }

  /** @throws Error with the server's output if it does not start */
  static async spawn(
    command: string,
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
    port: number,
  ): Promise<PeerServer> {
    const child = spawn(command, args, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
    const server = new PeerServer(port, child)
    running.add(child)
    let written = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      written = (written + text).slice(-2000)
    })
    child.on('error', error => {
      written += error.message
    })
    const end = performance.now() + startMsMax
    while (!(await accepts(port))) {
      if (child.pid === undefined || child.exitCode !== null || performance.now() > end) {
        await server.stop()
        throw new Error(`${command} does not start: ${written.trim()}`)
      }
      await delay(50)
    }
    return server
  }

  get pid(): number {
    return this.#process.pid!
  }

  /** Processor time used so far, of user and system. */
  cpuMicroseconds(): number {
    const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'latin1')
    // Fields 14 and 15; the second one is the name in parentheses, which may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS
  }

  async stop(): Promise<void> {
    running.delete(this.#process)
    const { pid, exitCode, signalCode } = this.#process
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), stopMsMax)
    await gone
    clearTimeout(timer)
  }
}

const running = new Set<ChildProcess>()

/** Servers end with the bench, however it ends. */
export function stopServersAtExit(): void {
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function delay(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
