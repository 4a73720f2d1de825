import type { DeliveryCount } from '../../src/store/index.ts'
import type { JobPlan } from './jobs.ts'
import { rayOf } from './records.ts'
import type { Scenario } from './scenario.ts'

/** Records of a partition that the log says it has dropped. */
export interface DroppedRange {
  readonly partition: string
  readonly first: number
  readonly last: number
}

/** The records of a job that the quota deleted, and the job's report of them. */
export interface Loss {
  readonly plan: JobPlan
  readonly expected: ReadonlySet<string>
  /** Rays that should have come and did not. */
  readonly missing: ReadonlySet<string>
  readonly counts: readonly DeliveryCount[]
  /** Rays that the log said it has dropped, of all jobs. */
  readonly dropped: ReadonlySet<string>
  /** The job was paused: what it did not have was dropped as if it were delivered. */
  readonly paused: boolean
}

/** The dropped range, from a message of the log. */
export function droppedRange(message: string): DroppedRange {
  const [, partition, first, last] = /records of (\S+) from (\d+) to (\d+), /.exec(message)!
  return { partition: partition!, first: Number(first), last: Number(last) }
}

/** Where no writer dies, a record's number is its sequence. */
export function droppedRays(writers: Scenario['writers'], ranges: readonly DroppedRange[]): Set<string> {
  const rays = new Set<string>()
  for (const { partition, first, last } of ranges) {
    const writer = writers.findIndex(names => names.includes(partition))
    const index = writers[writer]!.indexOf(partition)
    for (let number = first; number <= last; number++)
      rays.add(rayOf({ writer, life: 1, partition: index, number }))
  }
  return rays
}

/** The quota never deletes silently: the log reports it, and the job counts it. Nothing else is missing. */
export function lossProblems({ plan, expected, missing, counts, dropped, paused }: Loss): string[] {
  const problems: string[] = []
  const counted = counts
    .filter(({ outcome }) => outcome === 'missing')
    .reduce((sum, { lines }) => sum + lines, 0)
  if (counted < missing.size)
    problems.push(`${plan.name}: ${missing.size} lines are missing, ${counted} were counted`)
  if (paused) return problems
  const untold = [...missing].filter(ray => !dropped.has(ray))
  if (untold.length > 0)
    problems.push(
      `${plan.name}: ${untold.length} lines are missing that the log did not drop: ${untold[0]} …`,
    )
  // The job has to count records that arrived and were dropped before it knew.
  const dropsThere = [...expected].filter(ray => dropped.has(ray) && !missing.has(ray)).length
  // A job that keeps every record misses what it counts.
  if (keepsAll(plan) && counted > missing.size + dropsThere)
    problems.push(`${plan.name}: ${counted} lines were counted as missing, ${missing.size} are`)
  return problems
}

/** Where all records are of one zone and one dataset. */
function keepsAll({ filter }: JobPlan): boolean {
  return filter === null
}
