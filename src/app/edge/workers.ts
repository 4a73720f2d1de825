import { LocalRateCounters, type RateCounts } from '../../bus/index.ts'
import { type CertificatePair, type GeoDatabases, readGeoDatabases } from '../../edge/index.ts'
import type { CertificateReport } from '../../model/certificate.ts'
import type { TraceAnswer, TraceRequest } from '../../model/request-trace.ts'
import type { Listen, Settings } from '../../model/settings/index.ts'
import type { Logger } from '../observe/logger.ts'
import { WorkerMetrics } from '../observe/worker-metrics.ts'
import { selfSignedOf } from '../state/self-signed.ts'
import {
  type EdgeListener,
  type InheritedSockets,
  listenersOf,
  type WorkerAddress,
  workerAddresses,
} from './listeners.ts'
import type { EdgeInput } from './run-edge.ts'
import { assertUnused, canSharePorts } from './shared-port.ts'
import type { EdgeThread } from './thread.ts'

export interface EdgeWorkersDeps {
  readonly settings: Settings
  /** Id of this machine among machines that share the database. */
  readonly machine: string
  readonly logger: Logger
  /** For counts of rate limits; outlives the worker that counts in it. */
  readonly rateMemory: SharedArrayBuffer
  readonly startThread: (
    input: EdgeInput,
  ) => Pick<
    EdgeThread,
    'ended' | 'listen' | 'setDown' | 'metrics' | 'refuses' | 'certificates' | 'trace' | 'traces' | 'drain'
  >
  /** Sockets for the TCP addresses; undefined: the workers make their own. */
  readonly inheritance?: EdgeInheritance | undefined
  /** Prints a line on the terminal. */
  readonly report: (line: string) => void
}

export interface EdgeInheritance {
  readonly sockets: InheritedSockets
  /** For each slot of a worker there is a socket. */
  readonly workers: number
  /** Of this process, from 0, unique among running processes with the same sockets. */
  readonly number: number
  /** The same for all of these processes, so that they can exchange counts: see `newRateSecret`. */
  readonly rateSecret: Uint8Array
  /** A worker has ended unexpectedly. Its connections wait until another process listens on its sockets. */
  onWorkerLost(): void
}

type Thread = ReturnType<EdgeWorkersDeps['startThread']>

/** A worker that ends is replaced, with growing delays while replacements end at once. */
const restartMs = { first: 200, longest: 10_000 } as const

/** The edge's worker threads. They share their listening addresses: the system distributes the connections. */
export class EdgeWorkers {
  readonly #deps: EdgeWorkersDeps
  /** By slot, from 1. */
  readonly #threads = new Map<number, Thread>()
  readonly #metrics = new WorkerMetrics()
  #geo: GeoDatabases | undefined
  #selfSigned: CertificatePair | undefined
  #workers = 1
  #down: readonly string[] = []
  readonly #listeners: readonly EdgeListener[]
  #stopping = false
  #retires = false
  #failures = 0
  /** Resolves with the ports of `listenersOf` when every worker serves for the first time. */
  readonly ports: Promise<readonly number[]>

  static start(deps: EdgeWorkersDeps): EdgeWorkers {
    return new EdgeWorkers(deps)
  }

  private constructor(deps: EdgeWorkersDeps) {
    this.#deps = deps
    this.#listeners = listenersOf(deps.settings)
    this.ports = this.#startAll()
    // The start awaits it later; until then a rejection must not end the process.
    this.ports.catch(() => {})
  }

  /**
   * Whether requests can be served, by the process that has taken over if this one retires. Workers need no database for
   * that: they keep their plans.
   */
  get serving(): boolean {
    return this.#retires || (this.#threads.size > 0 && !this.#stopping)
  }

  /** As `PreparedEdge.setDown`, for every worker, also one that is started later. */
  setDown(keys: readonly string[]): void {
    this.#down = keys
    for (const thread of this.#threads.values()) thread.setDown(keys)
  }

  /** The reason of the first worker that refuses requests. A worker that does not answer in time is busy and serves. */
  async refuses(): Promise<string | undefined> {
    const answers = await Promise.allSettled([...this.#threads.values()].map(thread => thread.refuses()))
    for (const answer of answers)
      if (answer.status === 'fulfilled' && answer.value !== undefined) return answer.value
    return undefined
  }

  /**
   * The certificates that clients get, as one worker has them; the others have the same.
   * @param zoneName only for it and names below it
   * @throws if no worker answers in time
   */
  certificates(zoneName?: string): Promise<readonly CertificateReport[]> {
    return Promise.any([...this.#threads.values()].map(thread => thread.certificates(zoneName)))
  }

  /** The metrics of every worker, in prom-client's form. @throws if one does not answer in time */
  metrics(): Promise<readonly (readonly object[])[]> {
    return this.#metrics.read(this.#threads.values())
  }

  /**
   * Asks the worker with the fewest traces: all run the same plans, and a trace takes time from its worker's requests.
   * @throws as `EdgeThread.trace`, and if no worker is running
   */
  trace(request: TraceRequest): Promise<TraceAnswer> {
    const [thread] = [...this.#threads.values()].sort((a, b) => a.traces - b.traces)
    return thread === undefined
      ? Promise.reject(new Error('no edge worker is running'))
      : thread.trace(request)
  }

  /** Counts of rate limits, for the process that takes over. */
  rateCounts(): RateCounts {
    return new LocalRateCounters(this.#deps.rateMemory).live(Date.now())
  }

  /** Adds the counts of the process that this one has replaced. */
  addRateCounts(counts: RateCounts): void {
    new LocalRateCounters(this.#deps.rateMemory).add(counts, Date.now())
  }

  /** @param retires as in `EdgeThread.drain` */
  async stop(retires = false): Promise<void> {
    this.#stopping = true
    this.#retires ||= retires
    await Promise.all([...this.#threads.values()].map(thread => thread.drain(retires)))
  }

  async #startAll(): Promise<readonly number[]> {
    const { settings, inheritance } = this.#deps
    const { geoDatabases } = settings
    const workers = await this.#workersPossible()
    this.#workers = workers
    if (workers > 1 && inheritance === undefined) for (const listen of this.#tcp) await assertUnused(listen)
    this.#geo = await readGeoDatabases(geoDatabases)
    this.#selfSigned = await selfSignedOf(settings.data, Date.now())
    if (this.#stopping) throw new Error('stopped before the edge workers were started')
    const threads = Array.from({ length: workers }, (_, index) => this.#start(index + 1))
    // With port 0, the first worker chooses the port.
    const wanted = this.#listeners.map(({ address }) => ('path' in address ? 0 : address.port))
    const ports = await this.#listen(1, threads[0]!, wanted)
    await Promise.all(threads.slice(1).map((thread, index) => this.#listen(index + 2, thread, ports)))
    for (const [slot, thread] of this.#threads) this.#replaceAtEnd(slot, thread, ports)
    return ports
  }

  get #tcp(): readonly Listen[] {
    return this.#listeners.flatMap(({ address }) => ('path' in address ? [] : [address]))
  }

  #addressesOf(slot: number, ports: readonly number[]): readonly WorkerAddress[] {
    return workerAddresses(this.#listeners, ports, slot, this.#workers, this.#deps.inheritance?.sockets)
  }

  async #workersPossible(): Promise<number> {
    const { inheritance } = this.#deps
    if (inheritance !== undefined) return inheritance.workers
    const { workers } = this.#deps.settings
    const [first] = this.#tcp
    if (workers === 1 || first === undefined || (await canSharePorts(first))) return workers
    this.#deps.report(
      `one edge worker instead of ${workers}: this system cannot share an address between several`,
    )
    return 1
  }

  #start(slot: number): Thread {
    const { settings, machine, startThread, inheritance } = this.#deps
    // A replaced process may still write to its partitions.
    const writer = slot + (inheritance?.number ?? 0) * this.#workers
    const thread = startThread({
      settings,
      partition: `edge-${writer}-${machine}`,
      geo: this.#geo!,
      selfSigned: this.#selfSigned!,
      workers: this.#workers,
      rateMemory: this.#deps.rateMemory,
    })
    this.#threads.set(slot, thread)
    if (this.#down.length > 0) thread.setDown(this.#down)
    return thread
  }

  async #listen(slot: number, thread: Thread, ports: readonly number[]): Promise<readonly number[]> {
    try {
      return await thread.listen(this.#addressesOf(slot, ports))
    } catch (error) {
      throw new Error(`edge worker ${slot} cannot run: ${(error as Error).message}`, { cause: error })
    }
  }

  #replaceAtEnd(slot: number, thread: Thread, ports: readonly number[]): void {
    void thread.ended.then(error => {
      this.#threads.delete(slot)
      this.#metrics.end(thread)
      if (this.#stopping) return
      if (this.#deps.inheritance !== undefined) {
        this.#deps.logger.error({ slot, err: error }, 'an edge worker ended unexpectedly')
        this.#deps.inheritance.onWorkerLost()
        return
      }
      this.#failures++
      const delayMs = Math.min(restartMs.longest, restartMs.first * 2 ** Math.min(this.#failures, 10))
      this.#deps.logger.error(
        { slot, delayMs, err: error },
        'an edge worker ended unexpectedly; it is replaced',
      )
      setTimeout(() => {
        if (!this.#stopping) this.#restart(slot, ports)
      }, delayMs)
    })
  }

  #restart(slot: number, ports: readonly number[]): void {
    const thread = this.#start(slot)
    this.#replaceAtEnd(slot, thread, ports)
    thread.listen(this.#addressesOf(slot, ports)).then(
      () => {
        this.#failures = 0
      },
      // A thread that cannot listen ends by itself.
      () => {},
    )
  }
}
