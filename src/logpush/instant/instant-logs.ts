import { recordFields, recordHead } from '../../bus/index.ts'
import type { SequencedRecord } from '../../bus/port.ts'
import { type Clock, timestampOf } from '../../kit/clock.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { InstantSession } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { instantLimits } from '../limits.ts'
import type { RecordSource } from '../stream/source.ts'
import type { InstantEnd, InstantListener, InstantLogs, InstantStats } from '../types.ts'
import { Feed } from './feed.ts'
import { InstantLimitError } from './limit-error.ts'
import { isTooOld } from './session.ts'
import { Tail } from './tail.ts'

export interface InstantDeps {
  readonly store: Pick<Store, 'instant'>
  readonly reader: RecordSource
  readonly clock: Clock
  /** Reports failures that no listener sees; the work continues. */
  readonly onError: (message: string, error?: unknown) => void
}

/** How often sessions are checked for their end. */
const upkeepMs = 500
/** How often the store is told that a session has listeners. */
const touchMs = 60_000

/**
 * Shows records to people as they arrive. It reads the record log, once for all listeners and only while there are
 * any, so that the edge does not know listeners.
 */
export function openInstantLogs(deps: InstantDeps): InstantLogs {
  return new Sessions(deps)
}

class Sessions implements InstantLogs {
  readonly #deps: InstantDeps
  readonly #feeds = new Map<string, Feed>()
  readonly #byZone = new Map<string, readonly Feed[]>()
  readonly #touchedMs = new Map<string, number>()
  /** Calls to the store that run in the background. */
  readonly #calls = new Set<Promise<void>>()
  #tail: Tail | undefined
  #upkeep: NodeJS.Timeout | undefined
  #closed = false
  #linesSent = 0
  #linesLeftOut = 0

  constructor(deps: InstantDeps) {
    this.#deps = deps
  }

  async listen(session: InstantSession, listener: InstantListener): Promise<() => void> {
    if (this.#closed) throw new Error('instant logs are closed')
    const feed = this.#feedOf(session)
    if (feed.listeners.size >= instantLimits.listenersMax) throw new InstantLimitError('listeners')
    feed.listeners.add(listener)
    const leave = () => {
      if (feed.listeners.delete(listener) && feed.listeners.size === 0) this.#remove(feed)
    }
    try {
      await this.#begin()
    } catch (error) {
      leave()
      throw error
    }
    if (!this.#touchedMs.has(session.id)) this.#touch(feed)
    return leave
  }

  stats(): InstantStats {
    let listeners = 0
    for (const feed of this.#feeds.values()) listeners += feed.listeners.size
    return {
      sessions: this.#feeds.size,
      listeners,
      linesSent: this.#linesSent,
      linesLeftOut: this.#linesLeftOut,
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const feed of [...this.#feeds.values()]) this.#end(feed, 'stopped')
    await Promise.all(this.#calls)
  }

  #feedOf(session: InstantSession): Feed {
    const known = this.#feeds.get(session.id)
    if (known !== undefined) return known
    if (this.#feeds.size >= instantLimits.sessionsMax) throw new InstantLimitError('sessions')
    const feed = new Feed(session)
    this.#feeds.set(session.id, feed)
    this.#byZone.set(session.zoneId, [...(this.#byZone.get(session.zoneId) ?? []), feed])
    return feed
  }

  #begin(): Promise<void> {
    this.#upkeep ??= setInterval(() => this.#keepUp(), upkeepMs)
    this.#tail ??= new Tail({
      source: this.#deps.reader,
      onRecords: (partition, records) => this.#take(partition, records),
      onError: this.#deps.onError,
    })
    return this.#tail.ready
  }

  #take(partition: string, records: readonly SequencedRecord[]): void {
    for (const { sequence, record } of records) {
      const { zone, dataset } = recordHead(record)
      if (dataset !== httpRequests.name) continue
      let fields: LogRecord | undefined
      for (const feed of this.#byZone.get(zone) ?? []) {
        if (!feed.samples(partition, sequence)) continue
        fields ??= recordFields(record)
        feed.add(fields)
      }
    }
    for (const feed of this.#feeds.values()) {
      const { sent, leftOut } = feed.flush()
      this.#linesSent += sent
      this.#linesLeftOut += leftOut
    }
  }

  /** Ends sessions that are over, and records that the others have listeners. */
  #keepUp(): void {
    const nowMs = this.#deps.clock.nowMs()
    for (const feed of [...this.#feeds.values()]) {
      if (isTooOld(feed.session, nowMs)) this.#end(feed, 'age')
      else if (nowMs >= (this.#touchedMs.get(feed.session.id) ?? 0) + touchMs) this.#touch(feed)
    }
  }

  #touch(feed: Feed): void {
    const { id } = feed.session
    const nowMs = this.#deps.clock.nowMs()
    this.#touchedMs.set(id, nowMs)
    this.#call(async ({ instant }) => {
      await instant.touch(id, timestampOf(nowMs))
      // It may have been replaced, or its zone is gone.
      if ((await instant.get(id)) === undefined) this.#end(feed, 'gone')
    })
  }

  #end(feed: Feed, reason: InstantEnd): void {
    feed.end(reason)
    this.#remove(feed)
  }

  #remove(feed: Feed): void {
    const { id, zoneId } = feed.session
    if (this.#feeds.get(id) !== feed) return
    this.#feeds.delete(id)
    this.#touchedMs.delete(id)
    const others = this.#byZone.get(zoneId)!.filter(other => other !== feed)
    if (others.length > 0) this.#byZone.set(zoneId, others)
    else this.#byZone.delete(zoneId)
    // From now on there are no new listeners.
    const nowMs = this.#deps.clock.nowMs()
    this.#call(({ instant }) => instant.touch(id, timestampOf(nowMs)))
    if (this.#feeds.size > 0) return
    this.#tail?.stop()
    this.#tail = undefined
    clearInterval(this.#upkeep)
    this.#upkeep = undefined
  }

  #call(work: (store: Pick<Store, 'instant'>) => Promise<void>): void {
    const call = work(this.#deps.store)
      .catch(error => this.#deps.onError('instant logs: the session cannot be stored', error))
      .finally(() => this.#calls.delete(call))
    this.#calls.add(call)
  }
}
