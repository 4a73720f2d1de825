import { wholeLogOf } from '../../model/log-name.ts'
import type { LogpushJob } from '../../model/resource.ts'
import type { ManifestObject } from '../../store/port/delivery.ts'
import { logpushLimits } from '../limits.ts'
import { manifestName, objectPath } from '../output/object-name.ts'
import type { Target } from '../sinks/sink.ts'
import { cursorsAt, type RecordSource } from '../stream/source.ts'
import { hourOf } from './counts.ts'
import { failureOf, waitMs } from './failure.ts'
import type { HeldLease } from './held-lease.ts'
import { targetOf } from './job-target.ts'
import type { RunDeps } from './run-deps.ts'

/**
 * Writes the manifests of one job, if it has the option: one for every hour that is over and completely delivered, by
 * all processes that deliver a part of the log. A manifest lists the objects with their lines, bytes and hashes. It is
 * written after its objects, so its readers may rely on them. Objects delivered for an hour after its manifest are
 * listed in the next one. A reader of all manifests thus sees every object once.
 */
export class ManifestWriter {
  readonly #deps: RunDeps
  readonly #source: RecordSource
  readonly #jobNow: () => LogpushJob
  readonly #held: HeldLease
  readonly #stop = new AbortController()
  /** The hours before this one are done. */
  #doneBefore = ''
  #writing = false
  #failures = 0
  #notBeforeMs = 0
  /** Revision of the job that failed: an edited job is tried at once. */
  #failedRevision = 0

  constructor(deps: RunDeps, source: RecordSource, held: HeldLease, jobNow: () => LogpushJob) {
    this.#deps = deps
    this.#source = source
    this.#held = held
    this.#jobNow = jobNow
  }

  /**
   * Starts to write pending manifests in the background. After a failure it waits before it asks the destination
   * again.
   * @param oldestMs when the oldest undelivered record of this run was received, ms since the epoch
   */
  write(oldestMs: number): void {
    const before = hourOf(oldestMs)
    if (this.#writing || before === this.#doneBefore || this.#waits()) return
    this.#writing = true
    this.#write(before)
      .then(done => {
        if (done) this.#doneBefore = before
        this.#failures = 0
      })
      .catch(error => this.#failed(error))
      .finally(() => {
        this.#writing = false
      })
  }

  /** Ends the write in progress; the next start repeats it. */
  stop(): void {
    this.#stop.abort()
  }

  /** @returns false while another process has not delivered its part of these hours */
  async #write(before: string): Promise<boolean> {
    const job = this.#jobNow()
    const target = targetOf(job)
    if (!target.manifest) return true
    if (this.#isPart && !(await this.#isPassed(job.id, before))) return false
    const hours = await this.#deps.store.delivery.manifestHours(job.id, before)
    if (hours.length > 0) await this.#writeHours(job, target, hours)
    return true
  }

  get #isPart(): boolean {
    const { log } = this.#held.lease
    return log !== wholeLogOf(log)
  }

  /** Whether the stored positions are at the beginning of an hour, or later, in every partition. */
  async #isPassed(jobId: number, hour: string): Promise<boolean> {
    const cursors = await this.#deps.store.delivery.cursors({ jobId, replay: 0 })
    const begin = await cursorsAt(this.#source, Date.parse(hour))
    return [...begin].every(([partition, sequence]) => (cursors.get(partition) ?? 0) >= sequence)
  }

  async #writeHours(job: LogpushJob, target: Target, hours: readonly string[]): Promise<void> {
    const { delivery } = this.#deps.store
    const { lease } = this.#held
    await this.#held.require()
    const sink = await target.open(this.#deps.destinations)
    try {
      for (const hour of hours) {
        const objects = await delivery.manifestObjects(job.id, hour, lease)
        // Another process of this job, which reads another log, has written it meanwhile.
        if (objects.length === 0) continue
        const path = objectPath(target.folder, manifestName(hour), Date.parse(hour))
        const signal = AbortSignal.any([
          AbortSignal.timeout(logpushLimits.manifestMs),
          this.#stop.signal,
          this.#held.signal,
        ])
        await sink.leave(path, manifestText(job, hour, objects), signal)
        await delivery.closeManifest(job.id, hour, lease)
      }
    } finally {
      sink.close()
    }
  }

  #waits(): boolean {
    return this.#failedRevision === this.#jobNow().revision && performance.now() < this.#notBeforeMs
  }

  #failed(error: unknown): void {
    if (this.#stop.signal.aborted || this.#held.isLost) return
    const { pace, counts, onError } = this.#deps
    const { id, revision } = this.#jobNow()
    const failure = failureOf(error)
    this.#failedRevision = revision
    this.#notBeforeMs = performance.now() + waitMs(failure, pace, ++this.#failures)
    counts.add(id, failure.permanent ? 'failed' : 'retry', failure.status)
    onError(`a manifest of job ${id} cannot be written; retrying`, error)
  }
}

function manifestText(job: LogpushJob, hour: string, objects: readonly ManifestObject[]): string {
  const sum = (amount: (object: ManifestObject) => number) =>
    objects.reduce((total, object) => total + amount(object), 0)
  const manifest = {
    job_id: job.id,
    dataset: job.dataset,
    hour,
    lines: sum(object => object.lines),
    bytes: sum(object => object.bytes),
    bytes_compressed: sum(object => object.bytesCompressed),
    objects: objects.map(({ path, lines, bytes, bytesCompressed, sha256 }) => ({
      path,
      lines,
      bytes,
      bytes_compressed: bytesCompressed,
      sha256,
    })),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
