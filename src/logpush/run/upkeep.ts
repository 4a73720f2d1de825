import type { RecordReader } from '../../bus/port.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Cursors, Move } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'
import { logpushLimits } from '../limits.ts'
import type { Resets } from '../stream/resets.ts'
import { hourOf } from './counts.ts'
import type { JobRun } from './job-run.ts'
import type { Losses } from './losses.ts'
import { oldHalf, type Positions, positionsOn, releaseDelivered } from './release.ts'

interface UpkeepOptions {
  readonly store: Store
  readonly reader: RecordReader
  readonly clock: Clock
  readonly losses: Losses
  readonly resets: Resets
  readonly everyMs: number
  /** The jobs that run in this process. */
  readonly runs: () => Iterable<JobRun>
  readonly onError: (message: string, error: unknown) => void
}

/**
 * Regularly stores the positions of idle jobs, repeats reports that failed, writes manifests and releases delivered
 * records. Looks for lost logs and for a record log that fills.
 *
 * A log can fill within the interval of a job's objects: right after an outage, or with a small quota. Requests would be
 * refused, or records lost, although the destination works. So from half the quota on, jobs close their batches early:
 * those whose records begin in the older half of what is undelivered. A job that is up to date keeps its interval while
 * another one fails.
 */
export class Upkeep {
  readonly #options: UpkeepOptions
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined

  constructor(options: UpkeepOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      for (const run of options.runs()) {
        run.writeManifests()
        run.reportAgain()
      }
      this.#running ??= this.#run()
        .catch(error =>
          options.onError('delivery cannot store positions or release records; retrying', error),
        )
        .finally(() => {
          this.#running = undefined
        })
    }, options.everyMs)
  }

  /** Resolves when the work in progress has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    const { store, reader, clock, losses, resets } = this.#options
    await this.#storePositions()
    await resets.look(hourOf(clock.nowMs()))
    const positions = await positionsOn(store, reader)
    await releaseDelivered(store, reader, losses, positions)
    await this.#relieve(positions)
  }

  async #storePositions(): Promise<void> {
    const runs = new Map<Move, JobRun>()
    for (const run of this.#options.runs()) {
      const move = run.idleAt
      if (move !== undefined) runs.set(move, run)
    }
    if (runs.size === 0) return
    for (const move of await this.#options.store.delivery.advance([...runs.keys()]))
      runs.get(move)?.moved(move)
  }

  async #relieve(positions: Positions): Promise<void> {
    const pressed = (await this.#options.reader.undeliveredShare()) >= 1 / logpushLimits.earlyQuotaShare
    const early: Cursors = pressed ? oldHalf(positions) : new Map()
    for (const run of this.#options.runs()) if (run.dataset !== 'audit_logs') run.deliverEarly(early)
  }
}
