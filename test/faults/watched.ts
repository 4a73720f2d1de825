import type { ChildProcess } from 'node:child_process'
import { hasEnded, type Kind, killed, type Spares, tell } from './children.ts'
import { exitNotStarted, type Report, type ToDelivery, type ToWriter } from './messages.ts'

export interface WatchedOptions {
  readonly spares: Spares
  readonly kind: Kind
  /** The first message to a process; lives count from 1. */
  readonly task: (life: number) => ToDelivery | ToWriter
  readonly onReport: (report: Report, life: number) => void
  /** It died without being killed from here: a trap, or an error (why). */
  readonly onDeath: (why: string | undefined) => void
  /** Between the death of a life and the next one. */
  readonly beforeNext: (life: number) => void
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
  /** Resolves when the process that runs now has gone, and the next one has been started if there is to be one. */
  #over = Promise.withResolvers<void>()
  #ready = Promise.withResolvers<void>()

  constructor(options: WatchedOptions) {
    this.#options = options
    this.#start()
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Of the process that runs now, from 1. */
  get life(): number {
    return this.#life
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
    const over = this.#over.promise
    this.#killing = true
    await killed(this.#child)
    await over
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

  /** Ends it, and starts it again. @returns as `end` */
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
    const over = Promise.withResolvers<void>()
    this.#over = over
    let stderr = ''
    child.stderr!.setEncoding('utf8').on('data', text => {
      stderr = `${stderr}${text}`.slice(-stderrBytesMax)
    })
    child.on('message', (report: Report) => {
      if (report.ready) this.#ready.resolve()
      onReport(report, life)
    })
    // Once its words have been read to the end.
    child.once('close', (code: number | null, signal: string | null) => {
      this.#gone(code, signal, stderr)
      over.resolve()
    })
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
    this.#options.beforeNext(this.#life)
    this.#start()
    // Callers that wait for the dead process wait for the next one.
    this.#ready.promise.then(() => known.resolve())
  }
}
