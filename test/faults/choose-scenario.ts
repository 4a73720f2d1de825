import { hasNats } from '../support/servers.ts'
import { hourMs } from './clock.ts'
import { type FaultKind, faultKinds } from './fault-kinds.ts'
import { chooseJobs } from './jobs.ts'
import type { LogOptions } from './messages.ts'
import { Random } from './random.ts'
import type { Scenario, Step } from './scenario.ts'
import { themeOf } from './themes.ts'

const mebibyte = 1024 * 1024

/** @param wanted kinds of faults that strike one after another, each once; without it the seed decides */
export function scenarioOf(seed: number, wanted?: readonly string[]): Scenario {
  const random = new Random(seed)
  const theme = themeOf(seed)
  // Its clock and its quota are separate.
  const quota = theme === 'quota' || (theme === 'manifests' && random.chance(0.4))
  const nats = hasNats && random.chance(0.1) && theme !== 'manifests' && theme !== 'quota'
  const postgres = random.chance(0.1)
  const jobs = chooseJobs(random, theme, quota)
  const traits = { theme, quota, nats, postgres, jobs }
  const steps = wanted === undefined ? chooseSteps(random.fork(), traits) : stepsOf(random.fork(), wanted)
  return {
    ...traits,
    steps,
    ...writingOf(random, seed, traits),
    policy: policyOf(random, traits, steps),
    hourEndsMs: theme === 'manifests' ? random.int(200, 900) + (wanted === undefined ? 0 : 1200) : undefined,
    patient: wanted !== undefined,
    conditions: random.chance(0.8),
    partsFromBytes: theme === 'parts' ? random.pick([12_000, 30_000, 60_000]) : undefined,
    // An upload in many parts takes long on a busy machine.
    uploadMs: theme === 'parts' ? 2000 : 400,
    writers: random.pick([[['edge-1']], [['edge-1', 'edge-2']], [['edge-1', 'edge-2'], ['edge-3']]]),
    jobsFirst: random.chance(0.3),
    ...(wanted === undefined ? {} : steadily(traits)),
  }
}

/** So that there are requests as long as faults wait for them. */
function steadily({ theme, quota }: Traits): Partial<Scenario> {
  if (quota) return {}
  if (theme === 'parts')
    return { recordsMax: 1500, groupMax: 20, pauseMs: 60, partsFromBytes: 12_000, uploadMs: 3000 }
  return { recordsMax: 1000, groupMax: 4, pauseMs: 30, uploadMs: 1000 }
}

type Writing = Pick<Scenario, 'shape' | 'recordsMax' | 'groupMax' | 'pauseMs'>

function writingOf(random: Random, seed: number, { theme, quota: uniform }: Traits): Writing {
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

function policyOf(random: Random, { theme, quota }: Traits, steps: readonly Step[]): LogOptions['policy'] {
  const pauses = faultKinds.filter(({ pauses }) => pauses).map(({ name }) => name)
  // Delivered records are deleted at once, or stay. Otherwise records of a paused job, and of a replay, would be deleted
  // too.
  const stays = theme === 'replays' || quota || steps.some(({ kind }) => pauses.includes(kind))
  return {
    sync: random.pick(['always', 'interval', 'interval', 'never'] as const),
    // More than all records of a seed, and small enough for many small segments; or less than a third of them.
    bytes: quota ? random.pick([300, 500]) * 1024 : 24 * mebibyte,
    full: 'drop-oldest',
    // Files are as old as the system's clock says, and a clock that waits for the end of an hour is ahead of that.
    ageMs: stays ? (theme === 'manifests' ? 2 * hourMs : 60_000) : random.pick([0, 0, 60_000]),
  }
}

/** The properties that decide which faults can happen. */
type Traits = Pick<Scenario, 'theme' | 'quota' | 'nats' | 'postgres' | 'jobs'>

/** Names of the kinds of faults that can happen there. */
export function possibleFaults(traits: Traits): readonly string[] {
  return possibleKinds(traits).map(({ name }) => name)
}

function possibleKinds({ theme, quota, nats, postgres, jobs }: Traits): readonly FaultKind[] {
  return faultKinds.filter(({ needs, notWith }) => {
    if (notWith?.includes(theme) || (quota && notWith?.includes('quota'))) return false
    if (needs === 'quota') return quota
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
