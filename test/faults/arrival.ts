import { setTimeout as sleep } from 'node:timers/promises'
import { expectedOf, missingAt, objectsOf } from './delivered.ts'
import type { JobPlan } from './jobs.ts'
import type { SeedRun } from './seed-run.ts'

/**
 * Waits until every expected line is there, or until nothing has changed for `msMax`: what is missing then is told by
 * who looks.
 */
export async function everythingArrived(run: SeedRun, msMax: number): Promise<void> {
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
export async function manifestsWritten(run: SeedRun, msMax: number): Promise<void> {
  const { delivery } = run.store
  const plans = run.scenario.jobs.filter(({ manifest }) => manifest)
  await until(run, msMax, async () => {
    const hours = await Promise.all(plans.map(plan => delivery.manifestHours(run.jobIds.get(plan)!, '9')))
    return hours.flat().length === 0 ? undefined : JSON.stringify(hours)
  })
}

/** The records that a job has not passed yet. */
export async function leftOver({ store, reader, jobIds }: SeedRun, plan: JobPlan): Promise<string[]> {
  const run = { jobId: jobIds.get(plan)!, replay: 0 }
  const problems: string[] = []
  if ((await store.delivery.openBatchOf(run)) !== undefined)
    problems.push(`${plan.name}: a batch is still open`)
  const cursors = await store.delivery.cursors(run)
  for (const partition of await reader.partitions()) {
    const head = await reader.head(partition)
    const place = cursors.get(partition) ?? 0
    if (place !== head) problems.push(`${plan.name}: it is at ${place} of ${head} in ${partition}`)
  }
  for (const { replay } of await store.replays.running())
    if (replay.jobId === run.jobId) problems.push(`${plan.name}: replay ${replay.id} has not ended`)
  return problems
}

/**
 * @param leftNow what is still to come; undefined when all is there
 * @param msMax how long it may stay the same
 */
async function until(run: SeedRun, msMax: number, leftNow: () => Promise<string | undefined>): Promise<void> {
  let known = ''
  for (let deadlineMs = Date.now() + msMax; Date.now() < deadlineMs; await sleep(30))
    try {
      const left = await leftNow()
      if (left === undefined) return
      if (left !== known) deadlineMs = Date.now() + msMax
      known = left
    } catch (error) {
      // A server that was restarted may not be there again for us.
      run.tell(`not to be told yet: ${error}`)
    }
}
