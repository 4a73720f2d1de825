import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordReader } from '../../src/bus/index.ts'
import type { Store } from '../../src/store/index.ts'
import type { Bucket } from './bucket.ts'
import { type Durable, expectedOf, missingAt, objectsOf } from './delivered.ts'
import type { JobPlan } from './jobs.ts'
import type { Scenario } from './scenario.ts'

/** The parts of a run that show how far delivery is. */
interface Delivering {
  readonly scenario: Scenario
  readonly durable: Durable
  readonly bucket: Bucket
  /** The folder of the file destinations. */
  readonly files: string
  readonly store: Store
  readonly reader: RecordReader
  readonly jobIds: ReadonlyMap<JobPlan, number>
  tell(event: string): void
}

/**
 * Waits until every expected line is there, or until nothing has changed for `msMax`: what is missing then is told by
 * who looks.
 */
export async function everythingArrived(run: Delivering, msMax: number): Promise<void> {
  const { jobs, shape, quota } = run.scenario
  const plans = jobs.filter(({ onAndOff }) => !onAndOff)
  // Records deleted at the quota do not arrive.
  const expected = plans.map(plan => [plan, quota ? none : expectedOf(plan, shape, run.durable)] as const)
  const arrived = () =>
    expected.every(([plan, rays]) => missingAt(objectsOf(plan, run.bucket, run.files), rays).size === 0)
  await until(run, msMax, async () => {
    const left = (await Promise.all(plans.map(plan => leftOver(run, plan)))).flat()
    return left.length === 0 && arrived() ? undefined : left.join('\n')
  })
}

const none: ReadonlySet<string> = new Set()

/** Waits until no hour is without its manifest; its end has come for the jobs. */
export async function manifestsWritten(run: Delivering, msMax: number): Promise<void> {
  const { delivery } = run.store
  const plans = run.scenario.jobs.filter(({ manifest }) => manifest)
  await until(run, msMax, async () => {
    const hours = await Promise.all(plans.map(plan => delivery.manifestHours(run.jobIds.get(plan)!, '9')))
    return hours.flat().length === 0 ? undefined : JSON.stringify(hours)
  })
}

/** The records that a job has not passed yet. */
export async function leftOver(run: Delivering, plan: JobPlan): Promise<string[]> {
  const jobId = run.jobIds.get(plan)!
  const left = await notDelivered(run, jobId)
  for (const { replay } of await run.store.replays.running())
    if (replay.jobId === jobId) left.push(`replay ${replay.id} has not ended`)
  return left.map(what => `${plan.name}: ${what}`)
}

/** The batch and the records of the log, as it is now, that a job has not delivered. */
export async function notDelivered(
  { store, reader }: Pick<Delivering, 'store' | 'reader'>,
  jobId: number,
): Promise<string[]> {
  const run = { jobId, replay: 0 }
  const left: string[] = []
  if ((await store.delivery.openBatchOf(run)) !== undefined) left.push('a batch is still open')
  const cursors = await store.delivery.cursors(run)
  for (const partition of await reader.partitions()) {
    const head = await reader.head(partition)
    const position = cursors.get(partition) ?? 0
    if (position !== head) left.push(`it is at ${position} of ${head} in ${partition}`)
  }
  return left
}

/**
 * Waits until nothing is left to come. However slow the machine is, only standing still ends the wait before.
 * @param leftNow what is still to come; undefined when all is there
 * @param msMax how long it may stay the same
 * @returns what is still to come after that
 */
export async function until(
  run: Pick<Delivering, 'tell'>,
  msMax: number,
  leftNow: () => Promise<string | undefined>,
): Promise<string | undefined> {
  let known: string | undefined
  for (let deadlineMs = Date.now() + msMax; Date.now() < deadlineMs; await sleep(60))
    try {
      const left = await leftNow()
      if (left === undefined) return undefined
      if (left !== known) deadlineMs = Date.now() + msMax
      known = left
    } catch (error) {
      // A server that was restarted may not be there again for us.
      run.tell(`not to be told yet: ${error}`)
    }
  return known
}
