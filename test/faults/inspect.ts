import { leftOver } from './arrival.ts'
import { expectedOf, missingAt, objectsOf, problemsOf } from './delivered.ts'
import type { JobPlan } from './jobs.ts'
import { droppedRays, lossProblems } from './losses.ts'
import { manifestProblems } from './manifests.ts'
import { type AskedReplay, rangeOf } from './replays.ts'
import type { SeedRun } from './seed-run.ts'

/** Looks at everything that lies there, and adds what is wrong. @returns lines and objects */
export async function inspect(run: SeedRun): Promise<{ lines: number; objects: number }> {
  const { problems, bucket, scenario } = run
  let lines = 0
  let count = 0
  problems.push(...bucket.violations)
  for (const plan of scenario.jobs) {
    const objects = objectsOf(plan, bucket, run.files)
    const { rays, found } = await inspectJob(run, plan, objects)
    problems.push(...found)
    lines += rays.size
    count += objects.size
  }
  if (bucket.inParts > 0) run.tell(`${bucket.inParts} objects came in parts`)
  return { lines, objects: count }
}

async function inspectJob(run: SeedRun, plan: JobPlan, objects: ReadonlyMap<string, Buffer>) {
  const { shape, quota: lossy, nats } = run.scenario
  const jobId = run.jobIds.get(plan)!
  const rays = expectedOf(plan, shape, run.durable)
  const found: string[] = []
  const again = []
  for (const replay of run.replays.filter(asked => asked.plan === plan)) {
    const range = await rangeOf(run.reader, replay, !nats)
    found.push(...range.problems)
    again.push({ rays: range.rays, completed: await isCompleted(run, replay) })
  }
  const abandoned = lossy || run.lostLogs.has(plan)
  found.push(...problemsOf({ plan, shape, rays, again, lossy, abandoned, inOrder: !nats }, objects))
  if (!plan.onAndOff) found.push(...(await leftOver(run, plan)))
  if (plan.manifest) found.push(...manifestProblems(plan, jobId, objects))
  found.push(...(await resetProblems(run, plan)))
  if (lossy) {
    const missing = missingAt(objects, rays)
    const counts = await run.store.delivery.counts(jobId, '')
    const dropped = droppedRays(run.scenario.writers, run.dropped)
    const paused = run.pausedJobs.has(plan.name)
    found.push(...lossProblems({ plan, expected: rays, missing, counts, dropped, paused }))
  }
  return { rays, found }
}

/** Each log that was lost behind a cursor of the job counts as a reset. */
async function resetProblems({ store, jobIds, lostLogs }: SeedRun, plan: JobPlan): Promise<string[]> {
  const lost = lostLogs.get(plan)?.size ?? 0
  if (lost === 0) return []
  const counts = await store.delivery.counts(jobIds.get(plan)!, '')
  const resets = counts
    .filter(({ outcome }) => outcome === 'reset')
    .reduce((sum, { uploads }) => sum + uploads, 0)
  return resets < lost ? [`${plan.name}: ${lost} logs were lost, ${resets} resets were counted`] : []
}

async function isCompleted({ store }: SeedRun, { jobId, id }: AskedReplay): Promise<boolean> {
  return (await store.replays.get(jobId, id))?.status === 'completed'
}
