import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { samplingLimits } from '../../model/limits.ts'
import { addedUp, dayMs, minuteMs } from '../schema.ts'
import { ruleName, type TextWriter } from '../texts.ts'
import { holding, rayNumber } from '../values.ts'
import type { SampleSeen } from './seen.ts'

const counts = ['samples', 'evaluated', 'cpu_us', 'left_out', 'incomplete', 'held']

/** Writes samples in the transaction of their batch. */
export class SampleWriter {
  readonly #texts: TextWriter
  readonly #minute: StatementSync
  readonly #sample: StatementSync

  constructor(database: DatabaseSync, texts: TextWriter) {
    this.#texts = texts
    this.#minute = database.prepare(
      `insert into what_if_minutes values (?, ?, 1, ?, ?, ?, ?, ?)
       on conflict do update set ${counts.map(addedUp).join()}`,
    )
    this.#sample = database.prepare(
      `insert into what_if_samples values (${Array(16).fill('?').join()}) on conflict do nothing`,
    )
  }

  /** A sample that no setting would mitigate is only counted. */
  write({ zone: zoneId, timeMs, sample }: SampleSeen): void {
    const day = Math.floor(timeMs / dayMs)
    const zone = this.#texts.idOf(zoneId, day)
    const { cpuMicros, leftOut, incomplete, action, stops } = sample
    const held = holding.has(action) ? 1 : 0
    const evaluated = cpuMicros > 0 ? 1 : 0
    const minute = Math.floor(timeMs / minuteMs)
    this.#minute.run(zone, minute, evaluated, cpuMicros, leftOut, incomplete ? 1 : 0, held)
    const [s1, s2, s3, s4] = sample.scores
    if (s4 === 0 && stops === 0 && held === 0) return
    const rules = sample.rules
      .slice(0, samplingLimits.matchesMax)
      .map(([rule, ref, level, score]) => `${this.#texts.idOf(ruleName(rule, ref), day)}:${level}:${score}`)
    const chosen = (text: string) => this.#texts.idOfChosen(text, day)
    this.#sample.run(
      zone,
      timeMs,
      rayNumber(sample.ray)!,
      chosen(sample.client),
      this.#texts.idOf(sample.country, day),
      chosen(sample.host),
      chosen(sample.method),
      chosen(sample.path),
      this.#texts.idOf(action, day),
      held,
      s1,
      s2,
      s3,
      s4,
      stops,
      rules.join(),
    )
  }
}
