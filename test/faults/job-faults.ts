import { setTimeout as sleep } from 'node:timers/promises'
import { startJob } from '../../src/logpush/index.ts'
import type { LogpushJob } from '../../src/model/resource.ts'
import { destinationOf, editedFilters, type JobPlan } from './jobs.ts'
import type { Random } from './random.ts'
import { askForReplay } from './replays.ts'
import type { SeedRun } from './seed-run.ts'

/** Changes by a user that do not change which records belong to the job. */
export async function editJob(run: SeedRun, random: Random): Promise<void> {
  const plan = random.pick(run.scenario.jobs)
  const names = plan.outputOptions['field_names'] as string[]
  const wider =
    plan.dataset === 'http_requests' && plan.outputOptions['output_type'] !== 'csv' && random.chance(0.5)
  await write(run, plan, {
    maxUploadRecords: random.pick([plan.maxUploadRecords, 10, 100]),
    outputOptions: {
      ...plan.outputOptions,
      field_names: wider ? [...names, 'ClientRequestMethod'] : names,
    },
  })
  run.count('job edited')
}

export async function changeFilter(run: SeedRun, random: Random): Promise<void> {
  const plan = run.scenario.jobs.find(({ edited }) => edited === 'filter')!
  for (let times = random.int(1, 3); times > 0; times--) {
    await write(run, plan, { filter: random.pick(editedFilters) })
    run.count('filter edited')
    await sleep(random.int(0, 100))
  }
}

/** To a new folder each time, sometimes through a server that does not exist. */
export async function changeDestination(run: SeedRun, random: Random): Promise<void> {
  const plan = random.pick(run.scenario.jobs.filter(({ edited }) => edited === 'destination'))
  if (plan.to === 'bucket' && random.chance(0.4)) {
    await write(run, plan, { destinationConf: destinationOf(plan, 'http://127.0.0.1:1', '') })
    await sleep(random.int(20, 150))
  }
  const folder = `-${run.injected.get('destination edited') ?? 0}`
  await write(run, plan, { destinationConf: destinationOf(plan, run.bucket.url, run.files, folder) })
  run.count('destination edited')
}

export async function offAndOn(run: SeedRun, random: Random): Promise<void> {
  const plan = run.scenario.jobs.find(({ onAndOff }) => onAndOff)!
  const id = run.jobIds.get(plan)!
  await write(run, plan, { enabled: false })
  await untilDone(() => run.store.delivery.stop(id))
  run.count('job off and on')
  run.refresh()
  await sleep(random.int(0, 100))
  const on = (await untilDone(() => run.store.jobs.get(plan.scope, id)))!
  await untilDone(() => startJob(run, on))
  await write(run, plan, { enabled: true })
}

/** @param kills delivery, soon after */
export async function replay(run: SeedRun, random: Random, kills = false): Promise<void> {
  const plan = random.pick(run.scenario.jobs.filter(({ onAndOff }) => !onAndOff))
  const nowMs = Date.now()
  const startMs = random.int(run.startMs - 10, nowMs)
  const asked = await untilDone(() =>
    askForReplay(run, plan, run.jobIds.get(plan)!, [startMs, random.int(startMs, nowMs)]),
  )
  if (asked === undefined) return
  run.replays.push(asked)
  run.count('replay')
  run.refresh()
  if (!kills) return
  await sleep(random.int(0, 60))
  run.count('kill in a replay')
  await run.delivery.kill()
}

async function write(run: SeedRun, plan: JobPlan, changes: Partial<LogpushJob>): Promise<void> {
  const id = run.jobIds.get(plan)!
  // Read again for each attempt: one that failed may have been written.
  await untilDone(async () => {
    const job = (await run.store.jobs.get(plan.scope, id))!
    await run.store.jobs.update({ ...job, ...changes })
  })
  run.refresh()
}

/** As a person does who is told that the server is away. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 10) throw error
      await sleep(100)
    }
  }
}
