import { createHash } from 'node:crypto'
import type { DeliveryProcess, Lease } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'
import { HeldLease } from './held-lease.ts'

/** A lease is renewed three times in its duration. */
const beatsPerLease = 3

/** A job's records of one log. */
export interface Work {
  readonly jobId: number
  readonly log: string
}

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
}

/**
 * The work of this process. Living processes share the jobs by rendezvous hashing: each has the jobs whose hash with
 * its location is the highest, so that a process that starts or ends moves no other jobs. The database's clock
 * decides which processes live. The leases of a process are free once it has been silent for the duration of a lease.
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

  /** Whether this process should do this work. */
  isOurs({ jobId, log }: Work): boolean {
    // Two logs share one name: each process would mistake positions in the other log for its own.
    if (this.#copied) return false
    const { id } = this.#deps.process
    let best = ''
    let bestWeight = ''
    for (const process of this.#live) {
      // Every process reads the audit trail.
      if (log !== auditLog && process.log !== log) continue
      const weight = createHash('sha256').update(`${process.location}/${jobId}`).digest('hex')
      if (weight > bestWeight) [best, bestWeight] = [process.id, weight]
    }
    return best === id
  }

  /** Takes the free leases among these. @returns the leases that this process has of them */
  take(wanted: readonly Work[]): Promise<ReadonlyMap<number, HeldLease>> {
    return this.#inTurn(async () => {
      const missing = wanted.filter(work => !this.#held.has(keyOf(work)))
      if (missing.length > 0) this.#keep(await this.#deps.store.leases.take(this.#deps.process.id, missing))
      const taken = new Map<number, HeldLease>()
      for (const work of wanted) {
        const held = this.#held.get(keyOf(work))
        if (held === undefined) continue
        this.#unneeded.delete(held)
        taken.set(work.jobId, held)
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
    // Measured before the question: the answer is valid from some later moment on.
    const asked = { monotonicMs: performance.now(), wallMs: Date.now() }
    const { live, held } = await store.leases.beat(process, leaseMs, this.#first)
    // The first answer is no news: the refresh that asks for it takes the jobs next.
    const changed = !this.#first && JSON.stringify(live) !== JSON.stringify(this.#live)
    this.#first = false
    this.#live = live
    const copied = live.some(other => other.location === process.location && other.id !== process.id)
    if (copied && !this.#copied) this.#deps.onCopy()
    this.#copied = copied
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

function keyOf({ jobId, log }: Work): string {
  return `${jobId} ${log}`
}
