import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { newRateSecret } from '../../bus/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import { retireLimits } from '../limits.ts'
import { takeRoles } from '../serve.ts'
import { bequeath, type FromSupervisor, type ToSupervisor } from './inheritance.ts'
import { PassedQueries } from './passed-queries.ts'
import { type ServiceState, tellServiceManager } from './service-manager.ts'
import { type HeldSockets, holdSockets } from './sockets.ts'

/** A process that ends is replaced, with growing delays while replacements end at once. */
const restartMs = { first: 200, longest: 10_000 } as const

export interface Supervisor {
  /** Starts a new process from the files on disk, and retires the present one when the new one serves. */
  replace(): Promise<void>
  /** Ends every process as SIGTERM does. */
  stop(): Promise<void>
}

/**
 * Holds the addresses and roles of the settings, and keeps a process running that serves them.
 * @param command the program and its arguments
 * @throws if the first process does not start; it has told the reason itself
 */
export async function supervise(
  settings: Settings,
  command: readonly string[],
  report: (line: string) => void,
): Promise<Supervisor> {
  const release = await takeRoles(settings)
  const sockets = await holdSockets(settings)
  const processes = new Processes(sockets, command, report)
  const stop = async () => {
    await processes.stop()
    sockets.close()
    release()
  }
  try {
    await processes.start()
  } catch (error) {
    await stop()
    throw new Error(`the process did not start: ${(error as Error).message}`, { cause: error })
  }
  return { replace: () => processes.replace(), stop }
}

interface Process {
  readonly number: number
  readonly child: ChildProcess
  /** A part of it or all of it has ended. */
  broken: boolean
  /** Resolves when it does no sole work and will do none. */
  readonly handedOver: Promise<void>
}

class Processes {
  readonly #sockets: HeldSockets
  readonly #command: readonly string[]
  readonly #report: (line: string) => void
  /** By number; the oldest first. */
  readonly #running = new Map<number, Process>()
  readonly #rateSecret = Buffer.from(newRateSecret()).toString('hex')
  readonly #queries = new PassedQueries()
  #current: Process | undefined
  #replacing: Promise<void> | undefined
  /** Another replacement was asked for meanwhile. */
  #again = false
  #failures = 0
  #stopping = false

  constructor(sockets: HeldSockets, command: readonly string[], report: (line: string) => void) {
    this.#sockets = sockets
    this.#command = command
    this.#report = report
  }

  async start(): Promise<void> {
    this.#current = await this.#launch()
    this.#takeOver(this.#current)
    await this.#tellManager({ READY: 1, STATUS: `process ${this.#current.child.pid} serves` })
  }

  async replace(): Promise<void> {
    this.#again = true
    this.#replacing ??= this.#replaceAll().finally(() => {
      this.#replacing = undefined
    })
    await this.#replacing
  }

  async stop(): Promise<void> {
    this.#stopping = true
    void this.#tellManager({ STOPPING: 1 })
    const ends = [...this.#running.values()].map(({ child }) => ended(child))
    for (const { child } of this.#running.values()) child.kill('SIGTERM')
    await Promise.all(ends)
  }

  async #replaceAll(): Promise<void> {
    while (this.#again && !this.#stopping) {
      this.#again = false
      await this.#tellManager({ RELOADING: 1 })
      await this.#endOldest()
      if (this.#stopping) return
      const STATUS = await this.#replaceOnce()
      if (this.#stopping) return
      this.#report(STATUS)
      await this.#tellManager({ READY: 1, STATUS })
    }
  }

  #tellManager(state: ServiceState): Promise<void> {
    return tellServiceManager(state, this.#report)
  }

  /** @returns what has become of it */
  async #replaceOnce(): Promise<string> {
    const old = this.#current!
    let next: Process
    try {
      next = await this.#launch()
    } catch (error) {
      if (old.broken) this.#mend(old)
      const state = old.broken ? 'another attempt follows' : 'the running process goes on serving'
      return `the new process did not start, ${state}: ${(error as Error).message}`
    }
    this.#current = next
    if (next.broken) this.#mend(next)
    else this.#trust(next)
    tell(old, { kind: 'retire' })
    void this.#handOver(next, old)
    return `process ${next.child.pid} serves; process ${old.child.pid} finishes its connections`
  }

  #passOn(counts: FromSupervisor): void {
    if (this.#current !== undefined) tell(this.#current, counts)
  }

  /** Delivery and analytics begin in the next process when every earlier one has ended its own. */
  async #handOver(next: Process, old: Process): Promise<void> {
    const late = setTimeout(() => {
      this.#report(`process ${old.child.pid} does not end its delivery and analytics; it is killed`)
      old.child.kill('SIGKILL')
    }, retireLimits.handOverMs)
    const earlier = [...this.#running.values()].filter(process => process !== next)
    await Promise.all(earlier.map(({ handedOver }) => handedOver))
    clearTimeout(late)
    // It may have been replaced meanwhile.
    if (next === this.#current) this.#takeOver(next)
  }

  #takeOver(process: Process): void {
    tell(process, { kind: 'take-over' })
    this.#queries.give(process.child)
  }

  /** Replaces a process that has ended, or a part of which has ended. */
  #mend(broken: Process): void {
    broken.broken = true
    if (broken !== this.#current || this.#stopping) return
    const delayMs = Math.min(restartMs.longest, restartMs.first * 2 ** Math.min(this.#failures++, 10))
    setTimeout(() => {
      if (broken === this.#current && !this.#stopping) void this.replace()
    }, delayMs)
  }

  /** A process that stays whole for a while is followed at once when it ends. */
  #trust(process: Process): void {
    setTimeout(() => {
      if (process === this.#current && !process.broken) this.#failures = 0
    }, restartMs.longest).unref()
  }

  /** Ends the oldest of the replaced processes if too many have open connections. */
  async #endOldest(): Promise<void> {
    while (this.#running.size >= retireLimits.processesMax) {
      const [oldest] = this.#running.values()
      oldest!.child.kill('SIGTERM')
      await ended(oldest!.child)
    }
  }

  /** @throws if the process ends before it serves */
  async #launch(): Promise<Process> {
    const { bequest, fds } = this.#sockets
    const number = [...Array(retireLimits.processesMax).keys()].find(free => !this.#running.has(free))!
    const [program, ...words] = this.#command
    const child = spawn(program!, words, {
      env: {
        ...process.env,
        ...bequeath({ ...bequest, number, rateSecret: this.#rateSecret, passesQueries: true }),
      },
      // For counts, which are typed arrays.
      serialization: 'advanced',
      stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...fds],
    })
    const handedOver = Promise.withResolvers<void>()
    const launched: Process = { number, child, broken: false, handedOver: handedOver.promise }
    this.#running.set(number, launched)
    void handedOver.promise.then(() => this.#queries.release(child))
    void ended(child).then(() => {
      this.#running.delete(number)
      handedOver.resolve()
      if (launched === this.#current && !this.#stopping) {
        this.#report(`process ${child.pid} ended unexpectedly; a new one is started`)
        this.#mend(launched)
      }
    })
    const ready = new Promise<void>(resolve => {
      child.on('message', (message: ToSupervisor) => {
        if (message.kind === 'ready') resolve()
        else if (message.kind === 'handed-over') handedOver.resolve()
        else if (message.kind === 'counts') this.#passOn(message)
        else if (message.kind === 'query') this.#queries.ask(child, message.call)
        else if (message.kind === 'answer') this.#queries.answer(message.answered)
        else this.#mend(launched)
      })
    })
    const inTime = new AbortController()
    const outcome = await Promise.race([
      ready,
      ended(child),
      sleep(retireLimits.readyMs, 'too late' as const, { signal: inTime.signal, ref: false }).catch(
        () => undefined,
      ),
    ])
    inTime.abort()
    if (outcome === undefined) return launched
    child.kill('SIGKILL')
    throw new Error(outcome === 'too late' ? `it was not ready in ${retireLimits.readyMs / 1000} s` : outcome)
  }
}

/** The process may have ended. */
function tell({ child }: Process, message: FromSupervisor): void {
  child.send(message, () => {})
}

const endings = new WeakMap<ChildProcess, Promise<string>>()

/** Resolves with the way in which the process ended. */
function ended(child: ChildProcess): Promise<string> {
  let ending = endings.get(child)
  if (ending === undefined) {
    ending = once(child, 'exit').then(
      ([code, signal]) => (signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`),
      (error: Error) => error.message,
    )
    endings.set(child, ending)
  }
  return ending
}
