import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { IngestProgress } from '../analytics/index.ts'
import type { Settings } from '../model/settings.ts'
import type { Logger } from './logger.ts'

/** What the thread is given at its start. */
export interface AnalyticsThreadData {
  readonly settings: Settings
  /** Of the database of analytics. */
  readonly path: string
}

export type FromAnalyticsThread = IngestProgress

/** A thread that has ended by itself is followed by another after this long. */
const restartMs = 5000
/** A thread that was asked to stop has this long to end its batch; then it is ended by force, and the batch undone. */
const stopMs = 5000

/** The thread that reads the record log into analytics, from the side of the primary thread. */
export class AnalyticsThread {
  readonly #data: AnalyticsThreadData
  readonly #logger: Logger
  #worker: Worker
  #ended: Promise<void>
  #restart: NodeJS.Timeout | undefined
  #stopping = false
  #progress: IngestProgress = { partitions: [], bytes: 0, failures: 0 }
  #earlierFailures = 0

  constructor(data: AnalyticsThreadData, logger: Logger) {
    this.#data = data
    this.#logger = logger
    ;[this.#worker, this.#ended] = this.#begin()
  }

  /** As the thread told last; failures since the start of the process. */
  progress(): IngestProgress {
    return { ...this.#progress, failures: this.#progress.failures + this.#earlierFailures }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#restart)
    this.#worker.postMessage('stop')
    const force = setTimeout(() => void this.#worker.terminate(), stopMs)
    await this.#ended
    clearTimeout(force)
  }

  #begin(): [Worker, Promise<void>] {
    // Beside this file and of its kind: the published package is built.
    const entry = new URL(`./analytics-worker${extname(import.meta.url)}`, import.meta.url)
    // Its settings hold secrets, so they go neither by argument nor by environment.
    const worker = new Worker(entry, { workerData: this.#data, name: 'analytics ingest' })
    worker.on('message', (progress: FromAnalyticsThread) => {
      this.#progress = progress
    })
    worker.once('error', error => this.#logger.error({ err: error }, 'the thread of analytics has ended'))
    const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
    void ended.then(() => this.#follow())
    return [worker, ended]
  }

  #follow(): void {
    if (this.#stopping) return
    this.#earlierFailures += this.#progress.failures + 1
    this.#progress = { ...this.#progress, failures: 0 }
    this.#restart = setTimeout(() => {
      ;[this.#worker, this.#ended] = this.#begin()
    }, restartMs)
    this.#restart.unref()
  }
}
