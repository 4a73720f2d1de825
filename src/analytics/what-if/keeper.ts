import type { DatabaseSync } from 'node:sqlite'
import { transact } from '../database.ts'
import { keptSampleLimits } from '../limits.ts'
import { hourMs, minuteMs } from '../schema.ts'

/** Samples that some setting would mitigate. */
interface KeptSamples {
  readonly perZone: number
  readonly all: number
}

/**
 * The approximate size of a sample without its texts, and the share of the space for samples: one part in this many.
 */
const sampleBytes = 256
const samplesShare = 8

/** The number of samples that fit into a space: they must not displace events and counts. */
export function samplesIn(spaceBytes: number): KeptSamples {
  const all = Math.min(keptSampleLimits.keptMax, Math.floor(spaceBytes / samplesShare / sampleBytes))
  return { perZone: Math.min(keptSampleLimits.keptPerZoneMax, all), all }
}

/**
 * Removes samples that are too old or too many, with the counts of the same time, so that both cover the same range.
 */
export class SampleKeeper {
  readonly #database: DatabaseSync
  readonly #ageMs: number
  readonly #keptMax: KeptSamples
  #nextMs = 0

  constructor(database: DatabaseSync, ageMs: number, keptMax: KeptSamples) {
    this.#database = database
    this.#ageMs = ageMs
    this.#keptMax = keptMax
  }

  /** Called often; most calls do nothing. */
  run(nowMs: number): void {
    if (nowMs < this.#nextMs) return
    this.#nextMs = nowMs + keptSampleLimits.keepMs
    // The texts of samples are deleted with the oldest counts of requests.
    const counted = this.#oneOf('select min(hour) as n from zone_hours')
    const oldestMs = Math.max(nowMs - this.#ageMs, (counted ?? 0) * hourMs)
    let total = 0
    for (const zone of this.#zones()) {
      this.#removeBefore(zone, Math.floor(oldestMs / minuteMs))
      total += this.#thin(zone, this.#keptMax.perZone)
    }
    if (total > this.#keptMax.all) this.#thinAll(total)
  }

  /** Reduces all zones by the same share. */
  #thinAll(total: number): void {
    for (const zone of this.#zones())
      this.#thin(zone, Math.floor((this.#count(zone) * this.#keptMax.all) / total))
  }

  /** Keeps the newest samples. @returns how many are left */
  #thin(zone: number, keptMax: number): number {
    const count = this.#count(zone)
    if (count <= keptMax) return count
    const newest = this.#oneOf(
      'select time as n from what_if_samples where zone = ? order by time desc, ray desc limit 1 offset ?',
      zone,
      keptMax,
    )
    if (newest !== undefined) this.#removeBefore(zone, Math.floor(newest / minuteMs) + 1)
    return this.#count(zone)
  }

  #count(zone: number): number {
    return this.#oneOf('select count(*) as n from what_if_samples where zone = ?', zone) ?? 0
  }

  #removeBefore(zone: number, minute: number): void {
    transact(this.#database, () => {
      this.#database.prepare('delete from what_if_minutes where zone = ? and minute < ?').run(zone, minute)
      this.#database
        .prepare('delete from what_if_samples where zone = ? and time < ?')
        .run(zone, minute * minuteMs)
    })
  }

  #zones(): number[] {
    const next = this.#database.prepare('select min(zone) as n from what_if_minutes where zone > ?')
    const zones: number[] = []
    for (let zone = next.get(0)!['n']; zone !== null; zone = next.get(zone as number)!['n'])
      zones.push(zone as number)
    return zones
  }

  #oneOf(sql: string, ...values: number[]): number | undefined {
    return (this.#database.prepare(sql).get(...values)?.['n'] as number | null | undefined) ?? undefined
  }
}
