import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../model/settings.ts'
import type { Logger } from './logger.ts'

/** The first message to a worker. Settings hold secrets, so they go neither by argument nor by environment. */
export interface StartMessage {
  readonly kind: 'start'
  readonly settings: Settings
  /** From 1; of no other running worker. */
  readonly slot: number
}

export interface DrainMessage {
  readonly kind: 'drain'
}

/** What a worker tells once it serves. */
export interface WorkerReady {
  readonly kind: 'ready'
  readonly port: number
}

/** A worker that ends is replaced; one that ends at once again and again is replaced more and more slowly. */
const restartMs = { first: 200, longest: 10_000 } as const
const drainMs = 15_000

/** The edge's worker processes. They share one listening address and end with this process. */
export class EdgeWorkers {
  readonly #settings: Settings
  readonly #logger: Logger
  #stopping = false
  #failures = 0
  /** Resolves with the port when every worker serves for the first time. */
  readonly port: Promise<number>

  static start(settings: Settings, logger: Logger): EdgeWorkers {
    return new EdgeWorkers(settings, logger)
  }

  private constructor(settings: Settings, logger: Logger) {
    this.#settings = settings
    this.#logger = logger
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('./edge-worker.ts', import.meta.url)),
      args: [],
      serialization: 'advanced',
    })
    this.port = this.#startAll()
    // The start waits for it; until then a failure must not end the process.
    this.port.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
    await Promise.all(workers.map(endWorker))
  }

  async #startAll(): Promise<number> {
    const slots = Array.from({ length: this.#settings.workers }, (_, slot) => slot + 1)
    const ports = await Promise.all(slots.map(slot => this.#startFirst(slot)))
    return ports[0]!
  }

  /** The first start of a slot: a worker that ends before it serves makes the start fail. */
  #startFirst(slot: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const worker = this.#fork(slot)
      const onExit = (code: number | null) =>
        reject(new Error(`edge worker ${slot} ended with code ${code} before it was ready`))
      worker.once('exit', onExit)
      whenReady(worker, port => {
        resolve(port)
        worker.off('exit', onExit)
        worker.once('exit', () => this.#replace(slot))
      })
    })
  }

  #replace(slot: number): void {
    if (this.#stopping) return
    this.#failures++
    const delayMs = Math.min(restartMs.longest, restartMs.first * 2 ** Math.min(this.#failures, 10))
    this.#logger.error({ slot, delayMs }, 'an edge worker ended unexpectedly; it is replaced')
    setTimeout(() => {
      if (this.#stopping) return
      const worker = this.#fork(slot)
      whenReady(worker, () => {
        this.#failures = 0
      })
      worker.once('exit', () => this.#replace(slot))
    }, delayMs)
  }

  #fork(slot: number): Worker {
    const worker = cluster.fork()
    worker.send({ kind: 'start', settings: this.#settings, slot } satisfies StartMessage)
    return worker
  }
}

/** The channel carries other messages as well, such as metrics. */
function whenReady(worker: Worker, onReady: (port: number) => void): void {
  const onMessage = (message: Partial<WorkerReady>) => {
    if (message.kind !== 'ready') return
    worker.off('message', onMessage)
    onReady(message.port!)
  }
  worker.on('message', onMessage)
}

/** Asks a worker to drain; ends it by force when it does not. */
function endWorker(worker: Worker): Promise<void> {
  return new Promise(resolve => {
    const force = setTimeout(() => worker.process.kill('SIGKILL'), drainMs)
    worker.once('exit', () => {
      clearTimeout(force)
      resolve()
    })
    if (worker.isConnected()) worker.send({ kind: 'drain' } satisfies DrainMessage)
    else worker.process.kill('SIGKILL')
  })
}
