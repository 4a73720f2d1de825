import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { JobPlan } from './jobs.ts'
import { raysIn } from './object-text.ts'

/** As it is written. */
export interface Manifest {
  readonly job_id: number
  readonly dataset: string
  readonly hour: string
  readonly lines: number
  readonly bytes: number
  readonly bytes_compressed: number
  readonly objects: readonly ManifestLine[]
}

interface ManifestLine {
  readonly path: string
  readonly lines: number
  readonly bytes: number
  readonly bytes_compressed: number
  readonly sha256: string
}

/** A path → the day and hour of a manifest. */
const manifestPattern = /\/(\d{8}T\d{2})_manifest\.json$/

export function isManifest(path: string): boolean {
  return manifestPattern.test(path)
}

/**
 * The problems of the manifests of a job that has delivered everything: each must list the objects of its hour, and each
 * object must be listed.
 * @param files everything that lies at the destination, by path
 */
export function manifestProblems(plan: JobPlan, jobId: number, files: ReadonlyMap<string, Buffer>): string[] {
  const problems: string[] = []
  const unlisted = new Map<string, string>()
  for (const path of files.keys()) {
    const hour = /\/(\d{8}T\d{2})\d{4}Z_[^/]*$/.exec(path)?.[1]
    // A dead attempt's remainder is not an object.
    if (hour !== undefined && !path.endsWith('.partial')) unlisted.set(path, hour)
  }
  for (const [path, text] of files) {
    const hour = manifestPattern.exec(path)?.[1]
    if (hour === undefined) continue
    const manifest = JSON.parse(text.toString()) as Manifest
    for (const line of manifest.objects) {
      const listed = plan.to === 'files' ? line.path : `logs/${line.path}`
      // One that comes after the manifest of its hour is in a later one.
      const ofHour = unlisted.get(listed)
      if (ofHour === undefined || ofHour > hour)
        problems.push(`${path} lists ${listed}, which belongs to another hour`)
      unlisted.delete(listed)
      const object = files.get(listed)
      if (object === undefined || !isTrue(line, object)) problems.push(`${path} is wrong about ${listed}`)
    }
    if (!isWhole(manifest) || manifest.job_id !== jobId || manifest.dataset !== plan.dataset)
      problems.push(`${path} is wrong about itself`)
    if (compact(manifest.hour) !== hour) problems.push(`${path} is of the hour ${manifest.hour}`)
  }
  for (const path of unlisted.keys()) problems.push(`${plan.name}: no manifest lists ${path}`)
  return problems
}

function isTrue(line: ManifestLine, object: Buffer): boolean {
  const hash = createHash('sha256').update(object).digest('hex')
  return (
    line.lines === raysIn(object).length &&
    line.bytes === gunzipSync(object).length &&
    line.bytes_compressed === object.length &&
    line.sha256 === hash
  )
}

function isWhole({ objects, lines, bytes, bytes_compressed }: Manifest): boolean {
  const sum = (of: (line: ManifestLine) => number) => objects.reduce((total, line) => total + of(line), 0)
  return (
    lines === sum(line => line.lines) &&
    bytes === sum(line => line.bytes) &&
    bytes_compressed === sum(line => line.bytes_compressed)
  )
}

/** `2026-08-12T22:00:00Z` → `20260812T22` */
function compact(hour: string): string {
  return hour.slice(0, 13).replaceAll('-', '')
}
