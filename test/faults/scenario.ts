import { hasNats } from '../support/servers.ts'
import { faultKinds } from './fault-kinds.ts'
import { chooseJobs, type JobPlan } from './jobs.ts'
import type { LogPlace } from './messages.ts'
import { Random } from './random.ts'
import type { RecordShape } from './records.ts'

/** All that a seed decides. What it cannot decide is how the system schedules the processes. */
export interface Scenario {
  readonly shape: RecordShape
  readonly nats: boolean
  readonly policy: LogPlace['policy']
  /** Whether the bucket knows `If-None-Match`. */
  readonly conditions: boolean
  /** Partitions of each writing process. */
  readonly writers: readonly (readonly string[])[]
  /** The jobs come before the writers: they begin in an empty log. */
  readonly jobsFirst: boolean
  readonly recordsMax: number
  readonly groupMax: number
  readonly pauseMs: number
  readonly jobs: readonly JobPlan[]
  readonly steps: readonly Step[]
}

export interface Step {
  readonly waitMs: number
  /** Name of a kind of fault. */
  readonly kind: string
  readonly random: Random
  /** The next one does not wait for its end. */
  readonly aside: boolean
}

const mebibyte = 1024 * 1024

export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed)
  const nats = hasNats && random.chance(0.1)
  const jobs = chooseJobs(random)
  const steps = chooseSteps(random.fork(), nats, jobs)
  const pauses = faultKinds.filter(({ pauses }) => pauses).map(({ name }) => name)
  const long = random.chance(0.25)
  return {
    shape: { seed, padBytesMax: long ? 8000 : random.pick([20, 200, 1000]) },
    nats,
    policy: {
      sync: random.pick(['always', 'interval', 'interval', 'never'] as const),
      // More than all records of a seed, and small enough for many small segments.
      bytes: 24 * mebibyte,
      // What is delivered goes at once, or stays. What a job has not got while it is paused would go too.
      ageMs: steps.some(({ kind }) => pauses.includes(kind)) ? 60_000 : random.pick([0, 0, 60_000]),
    },
    conditions: random.chance(0.8),
    writers: random.pick([[['edge-1']], [['edge-1', 'edge-2']], [['edge-1', 'edge-2'], ['edge-3']]]),
    jobsFirst: random.chance(0.3),
    recordsMax: long ? 200 : random.pick([100, 300, 800]),
    groupMax: random.pick([2, 8, 40]),
    pauseMs: random.pick([1, 5, 15]),
    jobs,
    steps,
  }
}

function chooseSteps(random: Random, nats: boolean, jobs: readonly JobPlan[]): Step[] {
  const kinds = faultKinds.filter(({ needs }) => {
    if (needs === 'nats') return nats
    if (needs === 'spool') return !nats
    if (needs === 'on-and-off') return jobs.some(({ onAndOff }) => onAndOff)
    return needs === undefined || jobs.some(({ to }) => to === needs)
  })
  const names = kinds.flatMap(({ name, weight = 1 }) => Array.from({ length: weight }, () => name))
  return Array.from({ length: random.int(7, 12) }, () => ({
    waitMs: random.int(0, 120),
    kind: random.pick(names),
    random: random.fork(),
    aside: random.chance(0.3),
  }))
}
