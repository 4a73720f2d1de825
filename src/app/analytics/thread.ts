import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type Analytics,
  type Answered,
  type Call,
  Calls,
  type IngestProgress,
} from '../../analytics/index.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Logger } from '../observe/logger.ts'

/** The thread's input at its start. */
export interface AnalyticsThreadData {
  readonly settings: Settings
  /** Of the store's file. */
  readonly path: string
}

/** A query; whether to read the record log into the store; to end. */
export type ToAnalyticsThread = Call | { readonly reads: boolean } | 'stop'

export type FromAnalyticsThread = { readonly progress: IngestProgress } | { readonly answered: Answered }

/** It reads one batch after the other, so little of its garbage is ever old. */
const youngGenerationMb = 6
/** A thread that ended by itself is replaced after this time. */
const restartMs = 5000
/** A stopping thread has this time to end its batch; then it is terminated, which may end the process as well. */
const stopMs = 30_000

/** The primary thread's handle of the thread that has the store of analytics: it reads the record log into it, and answers. */
export class AnalyticsThread {
  readonly #data: AnalyticsThreadData
  readonly #logger: Logger
  readonly #calls: Calls
  #worker: Worker | undefined
  #ended: Promise<void> | undefined
  #restart: NodeJS.Timeout | undefined
  #stopping = false
  #reads: boolean
  #progress: IngestProgress = { partitions: [], bytes: 0, failures: 0 }
  #earlierFailures = 0

  /** @param elsewhere asks the process that has the store while this one has not */
  constructor(data: AnalyticsThreadData, logger: Logger, elsewhere?: (call: Call) => void) {
    this.#data = data
    // Another process may read into a server.
    this.#reads = data.settings.clickhouseUrl === undefined
    this.#logger = logger
    this.#calls = new Calls(elsewhere)
  }

  /** Queries of another process, for this one's store. */
  answer(call: Call): Promise<Answered> {
    return this.#calls.answer(call)
  }

  /** Takes the answer to a query that was asked elsewhere. */
  settle(answered: Answered): void {
    this.#calls.settle(answered)
  }

  /** Answers from the store; queries are asked elsewhere, or wait, until the start. */
  analytics(): Analytics {
    return this.#calls.analytics()
  }

  /** The store allows one process at a time, so a process that replaces another starts the thread after the other's end. */
  start(): void {
    this.#ended = this.#begin()
  }

  /** Whether this process reads the record log into the store; it answers in either case. */
  read(reads: boolean): void {
    this.#reads = reads
    this.#tell({ reads })
  }

  /** The thread's last report; failures since the start of the process. */
  progress(): IngestProgress {
    return { ...this.#progress, failures: this.#progress.failures + this.#earlierFailures }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#calls.handOver()
    clearTimeout(this.#restart)
    this.#tell('stop')
    const force = setTimeout(() => void this.#worker?.terminate(), stopMs)
    await this.#ended
    clearTimeout(force)
  }

  #begin(): Promise<void> {
    // In this file's folder and with its extension, because the published package is built.
    const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)
    // Its settings hold secrets, so they go neither by argument nor by environment.
    const worker = new Worker(entry, {
      workerData: this.#data,
      name: 'analytics',
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    })
    worker.on('message', (message: FromAnalyticsThread) => {
      if ('answered' in message) this.#calls.settle(message.answered)
      else this.#progress = message.progress
    })
    worker.once('error', error => this.#logger.error({ err: error }, 'the analytics thread has ended'))
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
    void ended.then(() => this.#follow())
    this.#worker = worker
    this.#tell({ reads: this.#reads })
    this.#calls.attach(call => worker.postMessage(call))
    return ended
  }

  #tell(message: ToAnalyticsThread): void {
    this.#worker?.postMessage(message)
  }

  #follow(): void {
    this.#worker = undefined
    if (this.#stopping) return
    this.#calls.detach()
    this.#earlierFailures += this.#progress.failures + 1
    this.#progress = { ...this.#progress, failures: 0 }
    this.#restart = setTimeout(() => {
      this.#ended = this.#begin()
    }, restartMs)
    this.#restart.unref()
  }
}
