import type { Clock } from '../../kit/clock.ts'
import type { DeliveryCount } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'

/** Retention of counts and lags. */
const keptMs = 30 * 24 * 3_600_000

type Amounts = Pick<DeliveryCount, 'lines' | 'bytes' | 'bytesCompressed'>

/** Upload results by job, hour, outcome and status; written to the store periodically, many at once. */
export class Counts {
  readonly #store: Store
  readonly #clock: Clock
  #waiting = new Map<string, DeliveryCount>()
  #forgottenBefore = ''

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  add(
    jobId: number,
    outcome: Exclude<DeliveryCount['outcome'], 'missing'>,
    status: string,
    { lines = 0, bytes = 0, bytesCompressed = 0 }: Partial<Amounts> = {},
  ): void {
    const hour = hourOf(this.#clock.nowMs())
    const key = `${jobId} ${hour} ${outcome} ${status}`
    const known = this.#waiting.get(key)
    this.#waiting.set(key, {
      jobId,
      hour,
      outcome,
      status,
      uploads: (known?.uploads ?? 0) + 1,
      lines: (known?.lines ?? 0) + lines,
      bytes: (known?.bytes ?? 0) + bytes,
      bytesCompressed: (known?.bytesCompressed ?? 0) + bytesCompressed,
    })
  }

  /** Counts that cannot be written now are written the next time. */
  async flush(): Promise<void> {
    const writing = this.#waiting
    this.#waiting = new Map()
    try {
      if (writing.size > 0) await this.#store.delivery.count([...writing.values()])
    } catch (error) {
      for (const [key, count] of writing) this.#waiting.set(key, sumOf(count, this.#waiting.get(key)))
      throw error
    }
    const before = hourOf(this.#clock.nowMs() - keptMs)
    if (before === this.#forgottenBefore) return
    await this.#store.delivery.forgetHours(before)
    this.#forgottenBefore = before
  }
}

/** `2026-08-12T22:00:00Z` */
export function hourOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 13)}:00:00Z`
}

function sumOf(one: DeliveryCount, other: DeliveryCount | undefined): DeliveryCount {
  if (other === undefined) return one
  return {
    ...one,
    uploads: one.uploads + other.uploads,
    lines: one.lines + other.lines,
    bytes: one.bytes + other.bytes,
    bytesCompressed: one.bytesCompressed + other.bytesCompressed,
  }
}
