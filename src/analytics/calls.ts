import { rmSync } from 'node:fs'
import { analyticsLimits } from './limits.ts'
import { RecordStoreError } from './records/port.ts'
import {
  type Analytics,
  AnalyticsAwayError,
  type Answers,
  type ExportedSearch,
  type SqlOutcome,
} from './types.ts'

/** A query to the thread that has the store. */
export interface Call {
  readonly id: number
  readonly name: keyof Answers
  readonly values: readonly unknown[]
}

export interface Answered {
  readonly id: number
  readonly answer?: unknown
  /** The answer is in this file, which its recipient removes; so does everyone who finds no recipient. */
  readonly file?: string | undefined
  readonly error?: unknown
  /** The error is one of the store: why it cannot be used. */
  readonly away?: RecordStoreError['code'] | undefined
}

/** Answers a call in the thread that has the store. */
export async function answerCall(answers: Answers, { id, name, values }: Call): Promise<Answered> {
  try {
    const asked = answers[name] as ((...all: readonly unknown[]) => Promise<unknown>) | undefined
    if (asked === undefined)
      throw new RecordStoreError('failed', `the version of Sluice that has the store does not know ${name}`)
    return answered(id, await asked(...values))
  } catch (error) {
    return { id, error, away: error instanceof RecordStoreError ? error.code : undefined }
  }
}

/** @param answer may be of any query; answers of exports name a file */
function answered(id: number, answer: unknown): Answered {
  const exported = answer as ExportedSearch | SqlOutcome | undefined
  if (typeof exported !== 'object' || exported === null) return { id, answer }
  if ('path' in exported) return { id, answer, file: exported.path }
  const isFile = 'ok' in exported && exported.ok && 'path' in exported.answer
  return isFile ? { id, answer, file: exported.answer.path } : { id, answer }
}

interface Waiting {
  readonly call: Call
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

type Post = (call: Call) => void

/**
 * The queries of this thread to the one that has the store. While this process has no such thread, another process
 * answers them if it can, and they wait a while: that process may be ending.
 */
export class Calls {
  readonly #waiting = new Map<number, Waiting>()
  readonly #elsewhere: Post | undefined
  #post: Post | undefined
  #lastId = 0
  #isClosed = false

  /** @param elsewhere asks the process that has the store; its answers are settled here */
  constructor(elsewhere?: Post) {
    this.#elsewhere = elsewhere
  }

  /** A thread begins to answer. */
  attach(post: Post): void {
    this.#post = post
    for (const { call } of this.#waiting.values()) post(call)
  }

  /** The thread ends, because another process gets the store: open queries are asked there, or fail if they cannot be. */
  handOver(): void {
    this.#post = undefined
    if (this.#elsewhere === undefined) this.close()
    for (const { call } of this.#waiting.values()) this.#askElsewhere(call)
  }

  /** The thread has ended. */
  detach(): void {
    this.#post = undefined
    this.#fail('the thread of analytics has ended')
  }

  settle({ id, answer, file, error, away }: Answered): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting === undefined && file !== undefined) rmSync(file, { force: true })
    if (error === undefined) waiting?.resolve(answer)
    else if (away) waiting?.reject(new AnalyticsAwayError((error as Error).message, { cause: error }))
    else waiting?.reject(error)
  }

  /** Answers a call of another process. */
  async answer({ id, name, values }: Call): Promise<Answered> {
    try {
      return answered(id, await this.#ask(name, values))
    } catch (error) {
      return { id, error, away: error instanceof AnalyticsAwayError ? 'failed' : undefined }
    }
  }

  /** @throws AnalyticsAwayError from each query when too many wait, or no thread answers */
  analytics(): Analytics {
    const of =
      <Name extends keyof Answers>(name: Name) =>
      (...values: Parameters<Answers[Name]>) =>
        this.#ask(name, values)
    return {
      events: of('events'),
      eventsOfRay: of('eventsOfRay'),
      timeseries: of('timeseries'),
      top: of('top'),
      ruleHits: of('ruleHits'),
      zoneOverview: of('zoneOverview'),
      accountOverview: of('accountOverview'),
      whatIf: of('whatIf'),
      whatIfCell: of('whatIfCell'),
      search: of('search'),
      exportSearch: of('exportSearch'),
      sql: of('sql'),
      previewPage: of('previewPage'),
      close: async () => this.close(),
    }
  }

  /** Fails every query from now on. */
  close(): void {
    this.#isClosed = true
    this.#fail('analytics are closed')
  }

  #ask<Name extends keyof Answers>(name: Name, values: readonly unknown[]): ReturnType<Answers[Name]> {
    const asked = new Promise((resolve, reject) => {
      if (this.#isClosed || this.#waiting.size >= analyticsLimits.waitingMax)
        throw new AnalyticsAwayError(this.#isClosed ? 'analytics are closed' : 'too many queries wait')
      const call = { id: ++this.#lastId, name, values }
      this.#waiting.set(call.id, { call, resolve, reject })
      if (this.#post === undefined) this.#askElsewhere(call)
      else this.#post(call)
    })
    return asked as ReturnType<Answers[Name]>
  }

  #askElsewhere(call: Call): void {
    const expire = () => {
      const waiting = this.#waiting.get(call.id)
      if (waiting === undefined || this.#post !== undefined) return
      this.#waiting.delete(call.id)
      waiting.reject(new AnalyticsAwayError('no process has opened the store of analytics yet'))
    }
    setTimeout(expire, analyticsLimits.beginMsMax).unref()
    this.#elsewhere?.(call)
  }

  #fail(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new AnalyticsAwayError(message))
    this.#waiting.clear()
  }
}
