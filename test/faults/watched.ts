import type { ChildProcess } from 'node:child_process'
import { hasEnded, type Kind, killed, type Spares, tell } from './children.ts'
import { exitNotStarted, type Report, type ToDelivery, type ToWriter } from './messages.ts'

export interface WatchedOptions {
  readonly spares: Spares
  readonly kind: Kind
  /** What a process is told first; lives count from 1. */
  readonly task: (life: number) => ToDelivery | ToWriter
  readonly onReport: (report: Report, life: number) => void
  /** It died without being killed from here: a trap, or a fault of its own (why). */
  readonly onDeath: (why: string | undefined) => void
  /** Between a death and the next life. */
  readonly beforeNext: () => void
}

const stderrBytesMax = 4000

/** A process that is started again whenever it ends, as a service manager does, until it is told to end. */
export class Watched {
  readonly #options: WatchedOptions
  #child!: ChildProcess
  #life = 0
  #killing = false
  #ending = false
  #ended = Promise.withResolvers<void>()
  #ready = Promise.withResolvers<void>()

  constructor(options: WatchedOptions) {
    this.#options = options
    this.#start()
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Resolves when the process that runs now has begun its work; after a death, when the next one has. */
  ready(): Promise<void> {
    return this.#ready.promise
  }

  tell(message: ToDelivery | ToWriter): void {
    tell(this.#child, message)
  }

  /** SIGKILL; the next one has been started when it resolves. */
  async kill(): Promise<void> {
    if (this.#ending || hasEnded(this.#child)) return
    this.#killing = true
    await killed(this.#child)
  }

  /** Says a last word and waits for the process to go. @returns false when it does not within a time */
  async end(message: ToDelivery | ToWriter, ms: number): Promise<boolean> {
    this.#ending = true
    this.tell(message)
    const timeout = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => timeout.resolve(false), ms)
    const inTime = await Promise.race([this.#ended.promise.then(() => true), timeout.promise])
    clearTimeout(timer)
    return inTime
  }

  /** Lets it end, and starts it anew. @returns as `end` */
  async restart(message: ToDelivery | ToWriter, ms: number): Promise<boolean> {
    const inTime = await this.end(message, ms)
    if (!inTime) await killed(this.#child)
    this.#ending = false
    this.#ended = Promise.withResolvers()
    this.#start()
    return inTime
  }

  async close(): Promise<void> {
    this.#ending = true
    await killed(this.#child)
  }

  #start(): void {
    const { spares, kind, task, onReport } = this.#options
    const child = spares.take(kind)
    const life = ++this.#life
    this.#child = child
    this.#ready = Promise.withResolvers()
    let stderr = ''
    child.stderr!.setEncoding('utf8').on('data', text => {
      stderr = `${stderr}${text}`.slice(-stderrBytesMax)
    })
    child.on('message', (report: Report) => {
      if (report.ready) this.#ready.resolve()
      onReport(report, life)
    })
    // Once its words have been read to the end.
    child.once('close', (code: number | null, signal: string | null) => this.#gone(code, signal, stderr))
    tell(child, task(life))
  }

  #gone(code: number | null, signal: string | null, stderr: string): void {
    const byUs = this.#killing
    this.#killing = false
    if (signal === 'SIGKILL') {
      if (!byUs && !this.#ending) this.#options.onDeath(undefined)
    } else if (code !== exitNotStarted && !(this.#ending && code === 0))
      this.#options.onDeath(`ended by itself, code ${code}, signal ${signal}: ${stderr}`)
    if (this.#ending) this.#ended.resolve()
    else this.#startNext()
  }

  #startNext(): void {
    const known = this.#ready
    this.#options.beforeNext()
    this.#start()
    // Who waits for the dead one waits for the next.
    this.#ready.promise.then(() => known.resolve())
  }
}
