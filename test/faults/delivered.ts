import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Bucket } from './bucket.ts'
import type { JobPlan } from './jobs.ts'
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

/** Ray ids that a job has to deliver. */
export function expectedOf(plan: JobPlan, shape: RecordShape, durable: Durable): Set<string> {
  const expected = new Set<string>()
  for (const { name, number } of durable.values())
    for (let n = 1; n <= number; n++) {
      const record = recordOf(shape, { ...name, number: n })
      if (record.dataset === plan.dataset && plan.keeps(record)) expected.add(rayOf({ ...name, number: n }))
    }
  return expected
}

/** How many of these are there, whatever else is. */
export function missingAt(objects: ReadonlyMap<string, Buffer>, expected: ReadonlySet<string>): Set<string> {
  const missing = new Set(expected)
  for (const object of objects.values()) for (const ray of raysIn(object)) missing.delete(ray)
  return missing
}

const pathPattern = /\/\d{8}T\d{6}Z_\d{8}T\d{6}Z_[0-9a-f]{8,}\.log\.gz$/

/**
 * What is wrong with what lies there; nothing, it is to be hoped.
 * @param inOrder whether the log keeps the order in which one process wrote
 */
export function problemsOf(
  plan: JobPlan,
  shape: RecordShape,
  objects: ReadonlyMap<string, Buffer>,
  expected: ReadonlySet<string>,
  inOrder: boolean,
): string[] {
  const problems: string[] = []
  const times = new Map<string, string[]>()
  for (const [path, object] of objects) {
    if (!pathPattern.test(path)) {
      if (!plan.onAndOff) problems.push(`${path} is no object of the job`)
      continue
    }
    const rays = raysIn(object)
    for (const ray of rays) times.set(ray, [...(times.get(ray) ?? []), path])
    problems.push(...contentProblems(plan, shape, path, object))
    if (inOrder) problems.push(...orderProblems(path, rays))
  }
  for (const [ray, paths] of times)
    if (paths.length > 1)
      problems.push(`${plan.name}: ${ray} is there ${paths.length} times: ${paths.join(' ')}`)
  const missing = plan.onAndOff ? [] : [...expected].filter(ray => !times.has(ray))
  if (missing.length > 0)
    problems.push(`${plan.name}: ${missing.length} of ${expected.size} are missing: ${listed(missing)}`)
  return problems
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

/** Every line begins with its ray id, which nothing else has before it. */
function raysIn(object: Buffer): string[] {
  const text = textOf(object) ?? ''
  return Array.from(text.matchAll(/^(?:\{"RayID":)?"([0-9a-f]{16})",/gm), match => match[1]!)
}

function textOf(object: Buffer): string | undefined {
  try {
    return gunzipSync(object).toString('utf8')
  } catch {
    return undefined
  }
}

function listed(rays: readonly string[]): string {
  return `${rays.slice(0, 5).join(' ')}${rays.length > 5 ? ' …' : ''}`
}
