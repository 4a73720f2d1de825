import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { recordFields } from '../bus/index.ts'
import type { Answers } from './answers.ts'
import { analyticsLimits } from './limits.ts'
import type { RawEvent } from './queries/events.ts'
import { type Analytics, AnalyticsAwayError, type StoredEvent } from './types.ts'

export interface AnswerThreadData {
  /** Path of the database. */
  readonly path: string
}

export interface ToAnswerThread {
  readonly id: number
  readonly name: keyof Answers
  readonly values: readonly unknown[]
}

export interface FromAnswerThread {
  readonly id: number
  readonly answer?: unknown
  readonly error?: unknown
}

/**
 * Answers queries about the data that `runIngest` has written, in a separate thread, because the database blocks its thread.
 * It starts with the first query and ends when there are none for a while.
 * @param path of the database; created when absent
 * @param idleMs time without a query after which the thread ends
 * @throws AnalyticsAwayError from each query when too many wait, or the thread has ended; the next query starts
 *   another thread
 */
export function openAnalytics(path: string, idleMs: number = analyticsLimits.threadIdleMs): Analytics {
  const thread = new AnswerThread(path, idleMs)
  return {
    async events(zoneId, question) {
      const { events, next } = await thread.ask('events', zoneId, question)
      return { events: events.map(parsed), next }
    },
    eventsOfRay: async (zoneId, rayId) => (await thread.ask('eventsOfRay', zoneId, rayId)).map(parsed),
    timeseries: (zoneId, question) => thread.ask('timeseries', zoneId, question),
    top: (zoneId, question) => thread.ask('top', zoneId, question),
    ruleHits: (zoneId, range) => thread.ask('ruleHits', zoneId, range),
    zoneOverview: (zoneId, range) => thread.ask('zoneOverview', zoneId, range),
    accountOverview: (accountId, nowMs) => thread.ask('accountOverview', accountId, nowMs),
    whatIf: (zoneId, question) => thread.ask('whatIf', zoneId, question),
    whatIfCell: (zoneId, question) => thread.ask('whatIfCell', zoneId, question),
    previewPage: (zoneId, question) => thread.ask('previewPage', zoneId, question),
    close: () => thread.close(),
  }
}

function parsed({ position, record }: RawEvent): StoredEvent {
  return { position, fields: recordFields(record) }
}

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

class AnswerThread {
  readonly #path: string
  readonly #idleMs: number
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0
  #closed = false

  constructor(path: string, idleMs: number) {
    this.#path = path
    this.#idleMs = idleMs
  }

  ask<Name extends keyof Answers>(
    name: Name,
    ...values: Parameters<Answers[Name]>
  ): Promise<ReturnType<Answers[Name]>> {
    return new Promise((resolve, reject) => {
      if (this.#closed || this.#waiting.size >= analyticsLimits.waitingMax)
        throw new AnalyticsAwayError(this.#closed ? 'analytics are closed' : 'too many queries wait')
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      clearTimeout(this.#idle)
      this.#worker ??= this.#begin()
      // Only running queries keep the process alive.
      this.#worker.ref()
      this.#worker.postMessage({ id, name, values } satisfies ToAnswerThread)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #begin(): Worker {
    // Beside this file and with the same extension: the published package is compiled.
    const entry = new URL(`./answer-worker${extname(import.meta.url)}`, import.meta.url)
    const worker = new Worker(entry, {
      workerData: { path: this.#path } satisfies AnswerThreadData,
      name: 'analytics',
    })
    let cause: unknown
    worker.on('message', (message: FromAnswerThread) => this.#settle(message))
    worker.once('error', error => {
      cause = error
    })
    worker.once('exit', () => {
      // Another thread may have followed one that had nothing to do.
      if (this.#worker !== worker) return
      this.#worker = undefined
      const error = new AnalyticsAwayError('the query thread has ended', { cause })
      for (const { reject } of this.#waiting.values()) reject(error)
      this.#waiting.clear()
    })
    return worker
  }

  #settle({ id, answer, error }: FromAnswerThread): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#rest()
    if (error === undefined) waiting?.resolve(answer)
    else waiting?.reject(error)
  }

  #rest(): void {
    const worker = this.#worker
    worker?.unref()
    this.#idle = setTimeout(() => {
      this.#worker = undefined
      void worker?.terminate()
    }, this.#idleMs)
    this.#idle.unref()
  }
}
