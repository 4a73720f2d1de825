import { analyticsLimits } from './limits.ts'
import { RecordStoreError } from './records/port.ts'
import { type Analytics, AnalyticsAwayError, type Answers } from './types.ts'

/** A question to the thread that has the store. */
export interface Call {
  readonly id: number
  readonly name: keyof Answers
  readonly values: readonly unknown[]
}

export interface Answered {
  readonly id: number
  readonly answer?: unknown
  readonly error?: unknown
  /** The error is one of the store. */
  readonly away?: boolean
}

/** Answers a call in the thread that has the store. */
export async function answerCall(answers: Answers, { id, name, values }: Call): Promise<Answered> {
  try {
    const answer = await (answers[name] as (...all: readonly unknown[]) => Promise<unknown>)(...values)
    return { id, answer }
  } catch (error) {
    return { id, error, away: error instanceof RecordStoreError }
  }
}

interface Waiting {
  readonly call: Call
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * The questions of this thread to the one that has the store. Without such a thread they wait a while: the process that
 * had the store before may still be ending.
 */
export class Calls {
  readonly #waiting = new Map<number, Waiting>()
  #post: ((call: Call) => void) | undefined
  #lastId = 0
  #isClosed = false

  /** A thread begins to answer. */
  attach(post: (call: Call) => void): void {
    this.#post = post
    for (const { call } of this.#waiting.values()) post(call)
  }

  /** The thread has ended. */
  detach(): void {
    this.#post = undefined
    this.#fail('the thread of analytics has ended')
  }

  settle({ id, answer, error, away }: Answered): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(answer)
    else if (away) waiting?.reject(new AnalyticsAwayError((error as Error).message, { cause: error }))
    else waiting?.reject(error)
  }

  /** @throws AnalyticsAwayError from each question when too many wait, or no thread answers */
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
      previewPage: of('previewPage'),
      close: async () => this.close(),
    }
  }

  /** Fails every question from now on. */
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
      if (this.#post === undefined) this.#expire(call.id)
      else this.#post(call)
    })
    return asked as ReturnType<Answers[Name]>
  }

  #expire(id: number): void {
    const expire = () => {
      const waiting = this.#waiting.get(id)
      if (waiting === undefined || this.#post !== undefined) return
      this.#waiting.delete(id)
      waiting.reject(new AnalyticsAwayError('no thread of analytics has begun yet'))
    }
    setTimeout(expire, analyticsLimits.beginMsMax).unref()
  }

  #fail(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new AnalyticsAwayError(message))
    this.#waiting.clear()
  }
}
