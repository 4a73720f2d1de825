import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bucket } from './bucket.ts'
import type { JobPlan } from './jobs.ts'
import { isManifest } from './manifests.ts'
import { raysIn, textOf } from './object-text.ts'
import { nameOf, type RecordName, type RecordShape, rayOf, recordOf } from './records.ts'

/** Durable numbers: writer, life and partition (as in a ray id) → all up to this number. */
export type Durable = ReadonlyMap<string, { readonly name: RecordName; readonly number: number }>

/** Everything that lies at a job's destination, by path. */
export function objectsOf(plan: JobPlan, bucket: Bucket, filesFolder: string): Map<string, Buffer> {
  if (plan.to === 'files') return filesBelow(join(filesFolder, plan.name))
  const prefix = `logs/${plan.name}/`
  return new Map([...bucket.objects].filter(([key]) => key.startsWith(prefix)))
}

function filesBelow(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name)
        files.set(path, readFileSync(path))
      }
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  return files
}

/** Ray ids that a job has to deliver, in the order of their partitions. */
export function expectedOf(plan: JobPlan, shape: RecordShape, durable: Durable): Set<string> {
  const expected = new Set<string>()
  for (const { name, number } of durable.values())
    for (let n = 1; n <= number; n++) {
      const record = recordOf(shape, { ...name, number: n })
      const wanted = plan.keeps(record) && (plan.must === undefined || plan.must(record))
      if (record.dataset === plan.dataset && wanted) expected.add(rayOf({ ...name, number: n }))
    }
  return expected
}

/** The expected lines that are missing. */
export function missingAt(objects: ReadonlyMap<string, Buffer>, expected: ReadonlySet<string>): Set<string> {
  const missing = new Set(expected)
  for (const object of objects.values()) for (const ray of raysIn(object)) missing.delete(ray)
  return missing
}

const pathPattern = /\/\d{8}T\d{6}Z_\d{8}T\d{6}Z_[0-9a-f]{32}\.log\.gz$/

/** The expected contents of a job's destination. */
export interface Expectation {
  readonly plan: JobPlan
  readonly shape: RecordShape
  readonly rays: ReadonlySet<string>
  /** Lines that are present once more; at most once more, if the replay has not ended. */
  readonly again: readonly { readonly rays: ReadonlySet<string>; readonly completed: boolean }[]
  /** The quota may have taken some. */
  readonly lossy: boolean
  /** A batch may have come to nothing: its records went with their log, or for the quota. */
  readonly abandoned: boolean
  /** The log keeps the order in which one process wrote. */
  readonly inOrder: boolean
}

/** The problems of the delivered objects; ideally none. */
export function problemsOf(expectation: Expectation, objects: ReadonlyMap<string, Buffer>): string[] {
  const { plan, shape, inOrder } = expectation
  const problems: string[] = []
  const times = new Map<string, string[]>()
  for (const [path, object] of objects) {
    if (isManifest(path) && plan.manifest) continue
    if (!pathPattern.test(path)) {
      if (!plan.onAndOff && !isRemainder(expectation, path)) problems.push(`${path} is no object of the job`)
      continue
    }
    const rays = raysIn(object)
    for (const ray of rays) times.set(ray, [...(times.get(ray) ?? []), path])
    problems.push(...contentProblems(plan, shape, path, object))
    if (inOrder) problems.push(...orderProblems(path, rays))
  }
  return [...problems, ...countProblems(expectation, times)]
}

/** A dead attempt's remainder stays if no other attempt used its name: the batch was given up, or has another destination. */
function isRemainder({ plan, abandoned }: Expectation, path: string): boolean {
  return path.endsWith('.partial') && (abandoned || plan.edited === 'destination')
}

/** @param times ray → the objects that hold it */
function countProblems(
  { plan, rays: expected, again, lossy }: Expectation,
  times: ReadonlyMap<string, readonly string[]>,
): string[] {
  const problems: string[] = []
  const mayMiss = plan.onAndOff || lossy
  const moreOf = (ray: string, completed: boolean) =>
    again.filter(replay => (replay.completed || !completed) && replay.rays.has(ray)).length
  for (const [ray, paths] of times)
    if (mostInOneFolder(plan, paths) > 1 + moreOf(ray, false))
      problems.push(`${plan.name}: ${ray} is there ${paths.length} times: ${paths.join(' ')}`)
  const missing = mayMiss
    ? []
    : [...expected].filter(ray => (times.get(ray)?.length ?? 0) < 1 + moreOf(ray, true))
  if (missing.length > 0)
    problems.push(`${plan.name}: ${missing.length} of ${expected.size} are missing: ${listed(missing)}`)
  return problems
}

/** Lines at the old destination may also be sent to the new one, if the answer was lost. */
function mostInOneFolder({ edited }: JobPlan, paths: readonly string[]): number {
  if (edited !== 'destination' || paths.length === 1) return paths.length
  const folders = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  return Math.max(...folders.values())
}

function contentProblems(plan: JobPlan, shape: RecordShape, path: string, object: Buffer): string[] {
  const problems: string[] = []
  const text = textOf(object) ?? ''
  if (text === '') return [`${path} is empty or not whole`]
  const lines: string[] = []
  const rays = raysIn(object)
  for (const ray of rays) {
    const name = nameOf(ray)
    const record = name && recordOf(shape, name)
    if (record === undefined || record.dataset !== plan.dataset || !plan.keeps(record))
      problems.push(`${path}: ${ray} is none of the job's`)
    else lines.push(lineOf(plan, record.fields, text))
  }
  const prefix = (plan.outputOptions['batch_prefix'] as string | undefined) ?? ''
  if (problems.length === 0 && text !== `${prefix}${lines.join('')}`)
    problems.push(`${path}: its lines are not those of its records`)
  return problems
}

/** As the job has it; with one field more after it was edited. */
function lineOf(plan: JobPlan, fields: Readonly<Record<string, unknown>>, text: string): string {
  const names = plan.outputOptions['field_names'] as string[]
  if (plan.outputOptions['output_type'] === 'csv')
    return `${names.map(name => csvOf(fields[name])).join(',')}\n`
  const all = text.includes('"ClientRequestMethod":') ? [...names, 'ClientRequestMethod'] : names
  return `${JSON.stringify(Object.fromEntries(all.map(name => [name, fields[name]])))}\n`
}

function csvOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : `"${String(value).replaceAll('"', '""')}"`
}

/** Records of one partition keep their order. */
function orderProblems(path: string, rays: readonly string[]): string[] {
  const last = new Map<string, string>()
  for (const ray of rays) {
    const partition = ray.slice(0, 2)
    if (ray < (last.get(partition) ?? '')) return [`${path}: ${ray} comes after ${last.get(partition)}`]
    last.set(partition, ray)
  }
  return []
}

function listed(rays: readonly string[]): string {
  return `${rays.slice(0, 5).join(' ')}${rays.length > 5 ? ' …' : ''}`
}
