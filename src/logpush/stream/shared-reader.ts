import { nextTurn } from '../../kit/turns.ts'
import type { Scope } from '../../model/resource.ts'
import type { BatchRange, Cursors } from '../../store/port/delivery.ts'
import { logpushLimits } from '../limits.ts'
import type { MergedReader, Slice, StreamRecord } from './merged-reader.ts'

/** A follower receives the records of one zone or account and one dataset, in order. */
export interface Follower {
  readonly scope: Scope
  readonly dataset: string
  /**
   * @param before returns the position before the record
   * @returns false when it cannot take the record now
   */
  take(record: StreamRecord, before: () => Cursors): boolean
  /** Resolves when it can take records again. */
  ready(): Promise<void>
  /** Called before the surrounding records: these ranges should have come and no longer exist. */
  missed(ranges: readonly BatchRange[]): void
  /** All records up to here have passed. */
  passed(passage: Passage): void
  /** The other followers continued without it, from `before` on: the position before the record that it did not take. */
  dropped(before: () => Cursors): void
}

export interface Passage {
  readonly position: Cursors
  /**
   * Every record that was received before this moment has passed, ms since the epoch; undefined when no record has
   * come.
   */
  readonly untilMs: number | undefined
  /** There are no more records yet. */
  readonly atEnd: boolean
}

/**
 * One reader of the record log, shared by all followers at the same position. A record is read and parsed once for
 * all of them.
 */
export class SharedReader {
  readonly reader: MergedReader
  readonly #followers = new Set<Follower>()
  #routes: Map<string, Map<string, Follower[]>> | undefined
  #busy = false

  constructor(reader: MergedReader) {
    this.reader = reader
  }

  get followers(): ReadonlySet<Follower> {
    return this.#followers
  }

  /** While it passes records on, its followers are at different positions. */
  get busy(): boolean {
    return this.#busy
  }

  add(follower: Follower): void {
    this.#followers.add(follower)
    this.#routes = undefined
  }

  remove(follower: Follower): void {
    if (this.#followers.delete(follower)) this.#routes = undefined
  }

  /**
   * Reads the next records and passes them on.
   * @param until no further than this
   * @param waits whether it waits for a follower that cannot take more, or drops it
   * @returns whether there were any records
   */
  async step(nowMs: number, orderMs: number, waits: boolean, until?: Cursors): Promise<boolean> {
    this.#busy = true
    try {
      const slice = await this.reader.next(until)
      const { records, missing, atEnd } = slice
      if (missing.length > 0) for (const follower of this.#followers) follower.missed(missing)
      await this.#handOut(slice, waits)
      const position = this.reader.position
      // After a position that is not the end there may be records of any age.
      const untilMs = records.at(-1)?.receivedMs ?? (until === undefined ? nowMs - orderMs : undefined)
      for (const follower of [...this.#followers]) follower.passed({ position, untilMs, atEnd })
      return records.length > 0
    } finally {
      this.#busy = false
    }
  }

  async #handOut(slice: Slice, waits: boolean): Promise<void> {
    let turnEndMs = performance.now() + logpushLimits.turnMs
    let handed = 0
    for (let index = 0; index < slice.records.length; index++) {
      const record = slice.records[index]!
      const followers = this.#wanting(record)
      record.isShared = followers.length > logpushLimits.pickingJobsMax
      for (const follower of followers) {
        const before = () => slice.before(index)
        while (this.#followers.has(follower) && !follower.take(record, before)) {
          if (waits && this.#followers.size === 1) await follower.ready()
          else this.#drop(follower, before)
        }
        if (++handed % clockEvery !== 0 || performance.now() < turnEndMs) continue
        await nextTurn()
        turnEndMs = performance.now() + logpushLimits.turnMs
      }
    }
  }

  #drop(follower: Follower, before: () => Cursors): void {
    this.remove(follower)
    follower.dropped(before)
  }

  #wanting({ head }: StreamRecord): readonly Follower[] {
    this.#routes ??= routesOf(this.#followers)
    const ofDataset = this.#routes.get(head.dataset)
    if (ofDataset === undefined) return noFollowers
    const ofZone = ofDataset.get(head.zone)
    const ofAccount = ofDataset.get(head.account)
    if (ofZone === undefined) return ofAccount ?? noFollowers
    return ofAccount === undefined ? ofZone : [...ofZone, ...ofAccount]
  }
}

/** Reading the clock costs as much as a small filter. */
const clockEvery = 16

const noFollowers: readonly Follower[] = []

/** Dataset → id of a zone or account → its followers. */
function routesOf(followers: Iterable<Follower>): Map<string, Map<string, Follower[]>> {
  const routes = new Map<string, Map<string, Follower[]>>()
  for (const follower of followers) {
    const ofDataset = routes.get(follower.dataset) ?? new Map<string, Follower[]>()
    routes.set(follower.dataset, ofDataset)
    const ofScope = ofDataset.get(follower.scope.id)
    if (ofScope === undefined) ofDataset.set(follower.scope.id, [follower])
    else ofScope.push(follower)
  }
  return routes
}
