import type { LogpushJob } from '../../model/resource.ts'
import type { ManifestObject } from '../../store/port.ts'
import { manifestName, objectPath } from '../object-name.ts'
import { hourOf } from './counts.ts'
import { type RunDeps, targetOf } from './uploader.ts'

/** A destination has this long to take a manifest. */
const uploadMs = 60_000

/**
 * Writes the manifest of every hour that is over and wholly delivered: which objects there are, how many lines and bytes
 * each holds, and its hash. A manifest is written after its objects, so who sees it may rely on them.
 * @param oldestMs when the oldest record was received that the job has not delivered, ms since the epoch
 * @throws SinkError
 */
export async function writeManifests(deps: RunDeps, job: LogpushJob, oldestMs: number): Promise<void> {
  const { delivery } = deps.store
  const hours = await delivery.manifestHours(job.id, hourOf(oldestMs))
  if (hours.length === 0) return
  const target = targetOf(job)
  const sink = await target.open(deps.destinations)
  try {
    for (const hour of hours) {
      const objects = await delivery.manifestObjects(job.id, hour)
      const path = objectPath(target.folder, manifestName(hour), Date.parse(hour))
      await sink.leave(path, manifestText(job, hour, objects), AbortSignal.timeout(uploadMs))
      await delivery.closeManifest(job.id, hour)
    }
  } finally {
    sink.close()
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
