import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cp, rename, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { eventually } from '../support/eventually.ts'
import { cutConnections } from '../support/shared-postgres.ts'
import type { RequestKind, Trouble } from './bucket.ts'
import { hourMs } from './clock.ts'
import { changeDestination, changeFilter, editJob, offAndOn, replay } from './job-faults.ts'
import type { Random } from './random.ts'
import type { SeedRun } from './seed-run.ts'
import type { Theme } from './themes.ts'

/** One kind of thing that goes wrong. */
export interface FaultKind {
  readonly name: string
  /** The kind of job, log or database without which it cannot happen; the theme that it belongs to. */
  readonly needs?: Theme | 'bucket' | 'files' | 'nats' | 'spool' | 'sqlite' | 'postgres' | 'on-and-off'
  /** The themes that could not tell any more what has to be there. */
  readonly notWith?: readonly Theme[]
  /** How often it is chosen, 1 otherwise. */
  readonly weight?: number
  /** It looks as if only a person could mend it. The job pauses, and its records are kept for no longer than others. */
  readonly pauses?: true
  /** Ends when it is over, or has had its chance. */
  readonly inject: (run: SeedRun, random: Random) => Promise<void>
}

/** So long a fault waits for its moment. */
function chanceMs({ scenario }: SeedRun): number {
  return scenario.patient ? 4000 : 600
}

/** In a run where each is to strike, until it has. */
async function lasts(run: SeedRun, name: string, ms: number): Promise<void> {
  const before = run.injected.get(name)
  const deadlineMs = Date.now() + (run.scenario.patient ? chanceMs(run) : ms)
  do await sleep(run.scenario.patient ? 10 : ms)
  while (run.injected.get(name) === before && Date.now() < deadlineMs)
}

/** The calls of delivery to the store and the log. */
const calls = [
  'delivery.openBatch',
  'delivery.openBatch',
  'delivery.closeBatch',
  'delivery.closeBatch',
  'delivery.advance',
  'delivery.cursors',
  'delivery.openBatchOf',
  'delivery.count',
  'jobs.report',
  'jobs.listEnabled',
  'delivery.manifestHours',
  'delivery.manifestObjects',
  'delivery.closeManifest',
  'replays.running',
  'replays.update',
  'reader.read',
  'reader.head',
  'reader.release',
] as const

/** Which requests, and in which seeds. */
interface Aim {
  readonly needs: Theme | 'bucket'
  readonly on?: RequestKind
}

const parts = { needs: 'parts', on: 'part' } as const
const completion = { needs: 'parts', on: 'complete' } as const
const manifest = { needs: 'manifests', on: 'manifest' } as const

const manifestCalls = ['delivery.manifestObjects', 'delivery.closeManifest'] as const

const trouble = (
  name: string,
  at: Trouble['at'],
  act: Trouble['act'],
  timesMax: number,
  { needs, on }: Aim = { needs: 'bucket' },
): FaultKind => ({
  name,
  needs,
  inject: async (run, random) => {
    const after = run.scenario.patient ? 0 : random.int(0, 2)
    run.trouble(name, { at, act, on, times: random.int(1, timesMax), after })
  },
})

const killWhen = (name: string, at: Trouble['at'], { needs, on }: Aim = { needs: 'bucket' }): FaultKind => ({
  name,
  needs,
  weight: 2,
  inject: async (run, random) => {
    const struck = Promise.withResolvers<void>()
    const onStrike = () => void run.delivery.kill().then(struck.resolve)
    const after = run.scenario.patient ? 0 : random.int(0, 3)
    run.trouble(name, { at, act: 'kill', on, after, onStrike })
    await Promise.race([struck.promise, sleep(chanceMs(run))])
  },
})

const killAtCall = (name: string, ofDelivery: readonly string[], needs?: Theme): FaultKind => ({
  name,
  ...(needs === undefined ? {} : { needs }),
  weight: 4,
  inject: async (run, random) => {
    await run.delivery.ready()
    const when = random.pick(['before', 'after'] as const)
    const call = random.pick(ofDelivery)
    run.trapName = name
    const nth = run.scenario.patient ? 1 : random.int(1, 5)
    run.delivery.tell({ trap: { call, when, nth, times: 1, act: 'die' } })
    await lasts(run, name, random.int(50, 250))
  },
})

export const faultKinds: readonly FaultKind[] = [
  {
    name: 'kill delivery',
    weight: 2,
    inject: async (run, random) => {
      for (let times = random.int(1, 2); times > 0; times--) {
        if (random.chance(0.7)) await run.delivery.ready()
        await sleep(random.int(0, 100))
        run.count('kill delivery')
        await run.delivery.kill()
      }
    },
  },
  killAtCall('kill at a call', calls),
  killWhen('kill at a request', 'begun'),
  killWhen('kill in the middle of a body', 'half'),
  killWhen('kill when stored', 'done'),
  { name: 'kill at a file', needs: 'files', weight: 2, inject: killAtFile },
  {
    name: 'stop delivery',
    inject: async run => {
      await run.delivery.ready()
      run.count('stop delivery')
      await run.restartDelivery()
    },
  },
  {
    name: 'kill writer',
    notWith: ['quota'],
    weight: 3,
    inject: async (run, random) => {
      await sleep(random.int(0, 80))
      run.tearing = random.chance(0.5)
      run.count('kill writer')
      await random.pick(run.writers).kill()
    },
  },
  {
    name: 'kill everything',
    notWith: ['quota'],
    inject: async (run, random) => {
      await sleep(random.int(0, 80))
      run.count('kill everything')
      await Promise.all([run.delivery, ...run.writers].map(watched => watched.kill()))
    },
  },
  trouble('500', 'begun', 500, 6),
  trouble('503', 'half', 503, 6),
  { ...trouble('403', 'half', 403, 3), pauses: true },
  trouble('503 though it is stored', 'done', 503, 3),
  trouble('reset', 'begun', 'reset', 4),
  trouble('reset in the middle', 'half', 'reset', 4),
  trouble('reset when stored', 'done', 'reset', 3),
  trouble('slow', 'done', 'slow', 8),
  trouble('no answer', 'half', 'hang', 2),
  trouble('no answer though it is stored', 'done', 'hang', 2),
  trouble('stored after the client has gone', 'begun', 'late', 2),
  {
    name: 'bucket away',
    needs: 'bucket',
    inject: async (run, random) => {
      run.count('bucket away')
      await run.bucket.close()
      await sleep(random.int(30, 250))
      await run.bucket.open()
    },
  },
  {
    name: 'folder blocked',
    needs: 'files',
    pauses: true,
    inject: async (run, random) => {
      const away = `${run.files}.away`
      run.count('folder blocked')
      await rename(run.files, away)
      await eventually(() => blockFolder(run.files, away))
      await sleep(random.int(30, 250))
      await rm(run.files)
      await rename(away, run.files).catch(() => putBack(away, run.files))
    },
  },
  {
    name: 'disk of delivery full',
    weight: 2,
    inject: async (run, random) => {
      await run.delivery.ready()
      await diskFull(run, run.delivery.pid, random, 'disk of delivery full')
    },
  },
  {
    name: 'disk of a writer full',
    notWith: ['quota'],
    needs: 'spool',
    weight: 2,
    inject: async (run, random) => {
      const writer = random.pick(run.writers)
      await writer.ready()
      await diskFull(run, writer.pid, random, 'disk of a writer full')
      if (random.chance(0.5)) await writer.kill()
    },
  },
  { name: 'database busy', needs: 'sqlite', inject: databaseBusy },
  {
    name: 'database gone for a moment',
    needs: 'postgres',
    weight: 4,
    inject: async run => {
      run.count('database gone for a moment')
      await cutConnections(run.database)
    },
  },
  {
    name: 'failed call',
    weight: 3,
    inject: async (run, random) => {
      await run.delivery.ready()
      const when = random.pick(['before', 'after'] as const)
      const trap = { call: random.pick(calls), when, nth: random.int(1, 4), times: random.int(1, 4) }
      run.delivery.tell({ trap: { ...trap, act: 'fail' } })
      await lasts(run, 'failed call', random.int(20, 200))
    },
  },
  { name: 'job edited', weight: 2, inject: editJob },
  trouble('503 between parts', 'begun', 503, 4, parts),
  trouble('reset in a part', 'half', 'reset', 4, parts),
  trouble('no answer to a part', 'done', 'hang', 1, parts),
  killWhen('kill between parts', 'begun', parts),
  killWhen('kill in a part', 'half', parts),
  trouble('500 at the completion', 'begun', 500, 2, completion),
  trouble('200 with an error at the completion', 'begun', 200, 2, completion),
  trouble('200 with an error though it is stored', 'done', 200, 2, completion),
  trouble('upload forgotten at the completion', 'begun', 404, 1, completion),
  trouble('no answer to the completion', 'done', 'hang', 1, completion),
  killWhen('kill at the completion', 'begun', completion),
  killWhen('kill when the parts are stored', 'done', completion),
  { name: 'replay', needs: 'replays', inject: replay },
  { name: 'kill in a replay', needs: 'replays', inject: (run, random) => replay(run, random, true) },
  trouble('503 at a manifest', 'begun', 503, 2, manifest),
  trouble('503 at a manifest though it is stored', 'done', 503, 2, manifest),
  killWhen('kill when a manifest is stored', 'done', manifest),
  killAtCall('kill at a manifest', manifestCalls, 'manifests'),
  {
    name: 'spool lost in part',
    needs: 'spool',
    notWith: ['quota', 'replays', 'manifests'],
    weight: 2,
    inject: async (run, random) => {
      const writer = random.int(0, run.writers.length - 1)
      await run.writers[writer]!.ready()
      await sleep(random.int(0, 80))
      run.count('spool lost in part')
      await run.loseSpool([writer])
    },
  },
  {
    name: 'spool lost',
    needs: 'spool',
    notWith: ['quota', 'replays', 'manifests'],
    weight: 2,
    inject: async (run, random) => {
      await Promise.all(run.writers.map(writer => writer.ready()))
      run.count('spool lost')
      const delivery = random.chance(0.5) ? run.delivery.kill() : undefined
      await run.loseSpool([...run.writers.keys()])
      await delivery
    },
  },
  {
    name: 'stream lost',
    needs: 'nats',
    notWith: ['replays'],
    weight: 4,
    inject: async (run, random) => {
      await Promise.all(run.writers.map(writer => writer.ready()))
      await sleep(random.int(0, 80))
      run.count('stream lost')
      await run.loseStream()
    },
  },
  {
    name: 'clock set back',
    needs: 'spool',
    // A range of time is not one of records then.
    notWith: ['replays'],
    weight: 2,
    inject: async (run, random) => {
      await sleep(random.int(0, 80))
      run.count('clock set back')
      run.setClockBack(random.pick([20, 500, 30_000, 300_000, 2 * hourMs]))
    },
  },
  { name: 'bucket away for long', needs: 'quota', inject: bucketAwayForLong },
  { name: 'filter edited', needs: 'edits', inject: changeFilter },
  { name: 'destination edited', needs: 'edits', inject: changeDestination },
  { name: 'job off and on', needs: 'on-and-off', weight: 3, inject: offAndOn },
  {
    name: 'nats restarted',
    needs: 'nats',
    weight: 4,
    inject: async run => {
      run.count('nats restarted')
      await run.nats!.stop()
      await run.nats!.start()
    },
  },
]

/** Kills delivery while a file is there under the name that it has before it is whole. */
async function killAtFile(run: SeedRun): Promise<void> {
  for (const deadlineMs = Date.now() + chanceMs(run); Date.now() < deadlineMs; await sleep(1)) {
    if (!namesBelow(run.files).some(name => name.endsWith('.partial'))) continue
    run.count('kill at a file')
    return run.delivery.kill()
  }
}

/** None while another fault has moved the folder, or a part of it is being made. */
function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }) as string[]
  } catch {
    return []
  }
}

/** No file of the process may grow beyond a size, for a while. */
async function diskFull(run: SeedRun, pid: number, random: Random, kind: string): Promise<void> {
  const limit = random.pick([0, 300, 5000, 40_000, 100_000])
  if (!(await limitFiles(pid, `${limit}`))) return
  run.count(kind)
  await sleep(random.int(50, 250))
  await limitFiles(pid, 'unlimited')
}

/** @returns false when there is no such process any more, or no such command */
async function limitFiles(pid: number, bytes: string): Promise<boolean> {
  try {
    await promisify(execFile)('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`])
    return true
  } catch {
    return false
  }
}

/** Long enough that the quota has most likely deleted something. */
async function bucketAwayForLong(run: SeedRun, random: Random): Promise<void> {
  run.count('bucket away for long')
  await run.bucket.close()
  await sleep(random.int(500, 1200))
  await run.bucket.open()
}

async function databaseBusy(run: SeedRun, random: Random): Promise<void> {
  const database = new DatabaseSync(run.database, { timeout: 100 })
  try {
    database.exec('begin immediate')
    run.count('database busy')
    await sleep(random.int(50, 400))
    database.exec('rollback')
  } catch {
    // It was busy already.
  } finally {
    database.close()
  }
}

/** Delivery may make the folder again before it is blocked. */
async function blockFolder(folder: string, away: string): Promise<void> {
  try {
    await writeFile(folder, '')
  } catch (error) {
    const made = `${folder}.made`
    await rename(folder, made)
    await cp(made, away, { recursive: true })
    await rm(made, { recursive: true })
    throw error
  }
}

/** Delivery may make the folder before its files are there again. */
async function putBack(away: string, folder: string): Promise<void> {
  await cp(away, folder, { recursive: true })
  await rm(away, { recursive: true })
}
