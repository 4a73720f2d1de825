import { setTimeout as sleep } from 'node:timers/promises'
import { treeResidentMebibytes } from '../../bench/support/process-cpu.ts'
import type { Instance } from '../support/sluice.ts'
import type { Load } from './load.ts'

/** Figures of one part of a run. */
export interface Sample {
  /** At its end. */
  readonly minute: number
  readonly perSecond: number
  readonly failures: readonly string[]
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Resident memory of the product. */
  readonly mebibytes: number
  /** The longest of several looks at every thread. */
  readonly loopDelayMs: number
  /** Records that no job has delivered. */
  readonly undelivered: number
}

const looks = 4

/** Looks at the product several times, and at its clients at the end. */
export class Sampler {
  readonly #sluice: Instance
  readonly #load: Load
  readonly #startMs = performance.now()
  #sent: number

  constructor(sluice: Instance, load: Load, sent: number) {
    this.#sluice = sluice
    this.#load = load
    this.#sent = sent
  }

  async next(forMs: number): Promise<Sample> {
    const startMs = performance.now()
    const delays: number[] = []
    let metrics = ''
    for (let look = 1; look <= looks; look++) {
      await sleep(Math.max(0, startMs + (forMs * look) / looks - performance.now()))
      metrics = await (await fetch(`${this.#sluice.healthUrl}/metrics`)).text()
      delays.push(...valuesOf(metrics, 'sluice_event_loop_delay_seconds'))
    }
    const { sent, failures, p50Ms, p99Ms, maxMs } = await this.#load.look()
    const endMs = performance.now()
    const perSecond = ((sent - this.#sent) * 1000) / (endMs - startMs)
    this.#sent = sent
    return {
      minute: (endMs - this.#startMs) / 60_000,
      perSecond,
      failures,
      p50Ms,
      p99Ms,
      maxMs,
      mebibytes: treeResidentMebibytes(this.#sluice.pid),
      loopDelayMs: Math.max(...delays) * 1000,
      undelivered: valuesOf(metrics, 'sluice_records_undelivered').reduce((sum, one) => sum + one, 0),
    }
  }
}

/** Values of all series of a metric, in Prometheus' text format. */
function valuesOf(metrics: string, name: string): number[] {
  return Array.from(metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm')), match =>
    Number(match[1]),
  )
}
