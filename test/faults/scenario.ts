import { hasNats } from '../support/servers.ts'
import { hourMs } from './clock.ts'
import { type FaultKind, faultKinds } from './fault-kinds.ts'
import { chooseJobs, type JobPlan } from './jobs.ts'
import type { LogPlace } from './messages.ts'
import { Random } from './random.ts'
import type { RecordShape } from './records.ts'

/** What a seed is about, besides what every seed may meet. */
export type Theme = (typeof themes)[number]

/**
 * Uploads in parts, replays, hourly manifests, a quota that is too small for what happens, edits of filters and
 * destinations.
 */
export const themes = ['any', 'parts', 'replays', 'manifests', 'quota', 'edits'] as const

/** All that a seed decides. What it cannot decide is how the system schedules the processes. */
export interface Scenario {
  readonly theme: Theme
  readonly shape: RecordShape
  readonly nats: boolean
  /** Instead of SQLite. */
  readonly postgres: boolean
  readonly policy: LogPlace['policy']
  /** An hour of the processes' clock ends so long after the start, ms. */
  readonly hourEndsMs: number | undefined
  /** Whether the bucket knows `If-None-Match`. */
  readonly conditions: boolean
  /** Objects of more bytes go to the bucket in parts. */
  readonly partsFromBytes: number | undefined
  /** An upload that takes longer is given up. */
  readonly uploadMs: number
  /** Partitions of each writing process. */
  readonly writers: readonly (readonly string[])[]
  /** The jobs come before the writers: they begin in an empty log. */
  readonly jobsFirst: boolean
  readonly recordsMax: number
  readonly groupMax: number
  readonly pauseMs: number
  readonly jobs: readonly JobPlan[]
  /** A step waits until the trouble of the one before has struck, or for long. */
  readonly patient: boolean
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

/** @param wanted kinds of faults that strike one after another, each once; without it the seed decides */
export function scenarioOf(seed: number, wanted?: readonly string[]): Scenario {
  const random = new Random(seed)
  const theme = themeOf(seed)
  // Its clock is its own, and so is what it takes when there is no room.
  const nats = hasNats && random.chance(0.1) && theme !== 'manifests' && theme !== 'quota'
  const postgres = random.chance(0.1)
  const jobs = chooseJobs(random, theme)
  const traits = { theme, nats, postgres, jobs }
  const steps = wanted === undefined ? chooseSteps(random.fork(), traits) : stepsOf(random.fork(), wanted)
  return {
    theme,
    nats,
    postgres,
    jobs,
    steps,
    ...writingOf(random, seed, theme),
    policy: policyOf(random, theme, steps),
    hourEndsMs: theme === 'manifests' ? random.int(200, 900) + (wanted === undefined ? 0 : 1200) : undefined,
    patient: wanted !== undefined,
    conditions: random.chance(0.8),
    partsFromBytes: theme === 'parts' ? random.pick([12_000, 30_000, 60_000]) : undefined,
    // What comes in many parts takes its time on a busy machine.
    uploadMs: theme === 'parts' ? 2000 : 400,
    writers: random.pick([[['edge-1']], [['edge-1', 'edge-2']], [['edge-1', 'edge-2'], ['edge-3']]]),
    jobsFirst: random.chance(0.3),
    ...(wanted === undefined ? {} : steadily(theme)),
  }
}

/** So that there are requests as long as faults wait for them. */
function steadily(theme: Theme): Partial<Scenario> {
  if (theme === 'quota') return {}
  if (theme === 'parts')
    return { recordsMax: 1500, groupMax: 20, pauseMs: 60, partsFromBytes: 12_000, uploadMs: 3000 }
  return { recordsMax: 1000, groupMax: 4, pauseMs: 30, uploadMs: 1000 }
}

type Writing = Pick<Scenario, 'shape' | 'recordsMax' | 'groupMax' | 'pauseMs'>

function writingOf(random: Random, seed: number, theme: Theme): Writing {
  const uniform = theme === 'quota'
  if (uniform || theme === 'parts')
    return {
      shape: { seed, padBytesMax: 4000, uniform },
      recordsMax: uniform ? 900 : 300,
      groupMax: 20,
      pauseMs: 5,
    }
  const long = random.chance(0.25)
  return {
    shape: { seed, padBytesMax: long ? 8000 : random.pick([20, 200, 1000]), uniform },
    recordsMax: long ? 200 : random.pick([100, 300, 800]),
    groupMax: random.pick([2, 8, 40]),
    pauseMs: random.pick([1, 5, 15]),
  }
}

function policyOf(random: Random, theme: Theme, steps: readonly Step[]): LogPlace['policy'] {
  const pauses = faultKinds.filter(({ pauses }) => pauses).map(({ name }) => name)
  // What is delivered goes at once, or stays. What a job has not got while it is paused would go too, and what a replay
  // is to bring.
  const stays = theme === 'replays' || theme === 'quota' || steps.some(({ kind }) => pauses.includes(kind))
  return {
    sync: random.pick(['always', 'interval', 'interval', 'never'] as const),
    // More than all records of a seed, and small enough for many small segments; or less than a third of them.
    bytes: theme === 'quota' ? random.pick([300, 500]) * 1024 : 24 * mebibyte,
    // Files are as old as the system's clock says, and a clock that waits for the end of an hour is ahead of that.
    ageMs: stays ? (theme === 'manifests' ? 2 * hourMs : 60_000) : random.pick([0, 0, 60_000]),
  }
}

/** What decides which faults can happen. */
type Traits = Pick<Scenario, 'theme' | 'nats' | 'postgres' | 'jobs'>

export function themeOf(seed: number): Theme {
  return themes[seed % themes.length]!
}

/** Names of the kinds of faults that can happen there. */
export function possibleFaults(traits: Traits): readonly string[] {
  return possibleKinds(traits).map(({ name }) => name)
}

function possibleKinds({ theme, nats, postgres, jobs }: Traits): readonly FaultKind[] {
  return faultKinds.filter(({ needs, notWith }) => {
    if (notWith === theme) return false
    if (needs === 'nats') return nats
    if (needs === 'spool') return !nats
    if (needs === 'postgres') return postgres
    if (needs === 'sqlite') return !postgres
    if (needs === 'on-and-off') return jobs.some(({ onAndOff }) => onAndOff)
    if (needs === 'bucket' || needs === 'files') return jobs.some(({ to }) => to === needs)
    return needs === undefined || needs === theme
  })
}

function chooseSteps(random: Random, traits: Traits): Step[] {
  const kinds = possibleKinds(traits)
  const names = kinds.flatMap(({ name, weight = 1 }) => Array.from({ length: weight }, () => name))
  const own = kinds.filter(({ needs }) => needs === traits.theme).map(({ name }) => name)
  return Array.from({ length: random.int(7, 12) }, () => ({
    waitMs: random.int(0, 120),
    kind: own.length > 0 && random.chance(0.4) ? random.pick(own) : random.pick(names),
    random: random.fork(),
    aside: random.chance(0.3),
  }))
}

function stepsOf(random: Random, kinds: readonly string[]): Step[] {
  return kinds.map(kind => ({ waitMs: random.int(0, 60), kind, random: random.fork(), aside: false }))
}
