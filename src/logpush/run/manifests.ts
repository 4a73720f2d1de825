import type { LogpushJob } from '../../model/resource.ts'
import type { ManifestObject } from '../../store/port.ts'
import { manifestName, objectPath } from '../object-name.ts'
import type { Target } from '../sinks/sink.ts'
import { hourOf } from './counts.ts'
import { backoffMs } from './pace.ts'
import { type RunDeps, targetOf } from './uploader.ts'

/** A destination has this long to take a manifest. */
const uploadMs = 60_000

/**
 * Writes the manifests of one job, if it wants them: one for every hour that is over and wholly delivered. It tells which
 * objects there are, how many lines and bytes each holds, and its hash. A manifest is written after its objects, so who
 * sees it may rely on them. What is delivered for an hour after its manifest is listed in the next one, so who reads each
 * manifest once has every object once.
 */
export class ManifestWriter {
  readonly #deps: RunDeps
  readonly #jobNow: () => LogpushJob
  readonly #stop = new AbortController()
  /** The hours before this one are done. */
  #doneBefore = ''
  #writing = false
  #failures = 0
  #notBeforeMs = 0

  constructor(deps: RunDeps, jobNow: () => LogpushJob) {
    this.#deps = deps
    this.#jobNow = jobNow
  }

  /**
   * Begins to write what is to be written. Nobody waits for the destination, and one that fails is not asked each time.
   * @param oldestMs when the oldest record was received that the job has not delivered, ms since the epoch
   */
  write(oldestMs: number): void {
    const before = hourOf(oldestMs)
    if (this.#writing || before === this.#doneBefore || performance.now() < this.#notBeforeMs) return
    this.#writing = true
    this.#write(before)
      .then(() => {
        this.#doneBefore = before
        this.#failures = 0
      })
      .catch(error => this.#failed(error))
      .finally(() => {
        this.#writing = false
      })
  }

  /** What is under way ends; it is written after the next start. */
  stop(): void {
    this.#stop.abort()
  }

  async #write(before: string): Promise<void> {
    const job = this.#jobNow()
    const target = targetOf(job)
    if (!target.manifest) return
    const hours = await this.#deps.store.delivery.manifestHours(job.id, before)
    if (hours.length > 0) await this.#writeHours(job, target, hours)
  }

  async #writeHours(job: LogpushJob, target: Target, hours: readonly string[]): Promise<void> {
    const { delivery } = this.#deps.store
    const sink = await target.open(this.#deps.destinations)
    try {
      for (const hour of hours) {
        const objects = await delivery.manifestObjects(job.id, hour)
        const path = objectPath(target.folder, manifestName(hour), Date.parse(hour))
        const signal = AbortSignal.any([AbortSignal.timeout(uploadMs), this.#stop.signal])
        await sink.leave(path, manifestText(job, hour, objects), signal)
        await delivery.closeManifest(job.id, hour)
      }
    } finally {
      sink.close()
    }
  }

  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return
    this.#notBeforeMs = performance.now() + backoffMs(this.#deps.pace, ++this.#failures)
    this.#deps.onError(`a manifest of job ${this.#jobNow().id} cannot be written; it is tried again`, error)
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
