import { wholeLogOf } from '../../model/log-name.ts'
import type { DeliveryProcess, Lease } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'
import { HeldLease } from './held-lease.ts'
import { keyOf, sharesOf, type Work } from './shares.ts'

/** A lease is renewed three times in its duration. */
const beatsPerLease = 3

interface LeasesDeps {
  readonly store: Store
  readonly process: DeliveryProcess
  /** Duration of a lease. */
  readonly leaseMs: number
  /** A process has started or ended, so that the jobs are shared differently. */
  readonly onChanged: () => void
  /** Another process has taken over a job of this one. */
  readonly onLost: (lease: Lease) => void
  /**
   * Another process is alive at this one's location. A data directory has one process, so one of the directories is a
   * copy.
   */
  readonly onCopy: () => void
  /** A process of an earlier version delivers, which takes leases of the whole log and not of its parts. */
  readonly onEarlier: () => void
}

/**
 * The work of this process. Living processes share jobs and parts of the log (`sharesOf`). The database's clock decides
 * which processes live. The leases of a process are free once it has been silent for the duration of a lease.
 */
export class Leases {
  readonly #deps: LeasesDeps
  readonly #held = new Map<string, HeldLease>()
  /** Leases that no work needs any more, until the database has freed them. */
  readonly #unneeded = new Set<HeldLease>()
  #live: readonly DeliveryProcess[] = []
  /**
   * The last answer is valid until then, by both clocks: the monotonic one may stand still while the machine sleeps, and
   * the wall clock can be set back.
   */
  #confirmedUntil = { monotonicMs: Number.NEGATIVE_INFINITY, wallMs: Number.NEGATIVE_INFINITY }
  #beating: Promise<void> | undefined
  /** Answers of the database are processed in their order. */
  #turn: Promise<unknown> = Promise.resolve()
  #first = true
  #copied = false
  #earlier = false

  constructor(deps: LeasesDeps) {
    this.#deps = deps
  }

  /** Whether the database has listed the living processes yet. */
  get known(): boolean {
    return !this.#first
  }

  get beatMs(): number {
    return this.#deps.leaseMs / beatsPerLease
  }

  /** Renews all leases, and updates the living processes and the lost leases. Concurrent calls share one request. */
  beat(): Promise<void> {
    this.#beating ??= this.#inTurn(() => this.#beat()).finally(() => {
      this.#beating = undefined
    })
    return this.#beating
  }

  /** The work of these that this process should do. */
  oursOf<T extends Work>(works: readonly T[]): readonly T[] {
    // Two logs share one name: each process would mistake positions in the other log for its own.
    if (this.#copied) return []
    const { location, log } = this.#deps.process
    const audit = works.filter(work => work.log === auditLog)
    const records = this.#earlier ? [] : works.filter(work => work.log !== auditLog)
    // Every process reads the audit trail.
    const auditShares = sharesOf(audit, locationsOf(this.#live))
    const recordShares = sharesOf(records, locationsOf(this.#live.filter(process => process.log === log)))
    return [
      ...audit.filter(work => auditShares.get(keyOf(work)) === location),
      ...records.filter(work => recordShares.get(keyOf(work)) === location),
    ]
  }

  /** Takes the free leases among these. @returns the leases that this process has of them, by `keyOf` the work */
  take(wanted: readonly Pick<Work, 'jobId' | 'log'>[]): Promise<ReadonlyMap<string, HeldLease>> {
    return this.#inTurn(async () => {
      const missing = wanted.filter(work => !this.#held.has(keyOf(work)))
      if (missing.length > 0) this.#keep(await this.#deps.store.leases.take(this.#deps.process.id, missing))
      const taken = new Map<string, HeldLease>()
      for (const work of wanted) {
        const held = this.#held.get(keyOf(work))
        if (held === undefined) continue
        this.#unneeded.delete(held)
        taken.set(keyOf(work), held)
      }
      return taken
    })
  }

  /**
   * Returns a lease that no work needs any more. If the database does not answer, every beat tries again: the beats of
   * this process would otherwise keep the lease for ever.
   */
  release(held: HeldLease): Promise<void> {
    this.#unneeded.add(held)
    return this.#inTurn(() => this.#returnUnneeded())
  }

  /**
   * Frees all leases when this process ends, so that others need not wait. Aborts uploads first and waits for their end:
   * the next process uploads the same batches.
   */
  async leave(): Promise<void> {
    const all = [...this.#held.values()]
    for (const held of all) held.lose()
    await Promise.all(all.map(held => held.uploaded()))
    await this.#inTurn(() => this.#deps.store.leases.leave(this.#deps.process.id))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  async #returnUnneeded(): Promise<void> {
    const { store, process } = this.#deps
    for (const held of this.#unneeded) {
      if (!held.isLost) {
        await store.leases.release(process.id, [held.lease])
        this.#held.delete(keyOf(held.lease))
      }
      this.#unneeded.delete(held)
    }
  }

  async #beat(): Promise<void> {
    const { store, process, leaseMs } = this.#deps
    // Measured before the statement: the answer is valid from some later moment on.
    const asked = { monotonicMs: performance.now(), wallMs: Date.now() }
    const { live, held } = await store.leases.beat(process, leaseMs, this.#first)
    // The first answer is no news: the refresh that asks for it takes the jobs next.
    const changed = !this.#first && JSON.stringify(live) !== JSON.stringify(this.#live)
    this.#first = false
    this.#live = live
    const copied = live.some(other => other.location === process.location && other.id !== process.id)
    if (copied && !this.#copied) this.#deps.onCopy()
    this.#copied = copied
    const earlier = live.some(({ log }) => log !== process.log && log === wholeLogOf(process.log))
    if (earlier && !this.#earlier) this.#deps.onEarlier()
    this.#earlier = earlier
    const validMs = (leaseMs * 2) / 3
    this.#confirmedUntil = { monotonicMs: asked.monotonicMs + validMs, wallMs: asked.wallMs + validMs }
    this.#keep(held)
    if (changed) this.#deps.onChanged()
    await this.#returnUnneeded()
  }

  async #confirm(): Promise<void> {
    const { monotonicMs, wallMs } = this.#confirmedUntil
    if (performance.now() >= monotonicMs || Date.now() >= wallMs) await this.beat()
  }

  /** @param all leases that the database lists for this process */
  #keep(all: readonly Lease[]): void {
    const now = new Map(all.map(lease => [keyOf(lease), lease]))
    for (const held of this.#held.values())
      if (now.get(keyOf(held.lease))?.fence !== held.lease.fence) this.lost(held)
    for (const [key, lease] of now)
      if (!this.#held.has(key)) this.#held.set(key, new HeldLease(lease, () => this.#confirm()))
  }

  /** Reports a lost lease once, whichever code sees it first. */
  lost(held: HeldLease): void {
    if (held.isLost) return
    held.lose()
    // The next `take` asks the database, and not what this process believed to have.
    if (this.#held.get(keyOf(held.lease)) === held) this.#held.delete(keyOf(held.lease))
    this.#deps.onLost(held.lease)
  }
}

/** The name of the audit trail as a log. */
export const auditLog = 'audit'

function locationsOf(processes: readonly DeliveryProcess[]): readonly string[] {
  return processes.map(({ location }) => location)
}
