import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { hasNats } from '../support/servers.ts'
import { Spares } from './children.ts'
import { possibleFaults, scenarioOf } from './choose-scenario.ts'
import { SharedPostgres } from './database.ts'
import { type FaultKind, faultKinds } from './fault-kinds.ts'
import { runSeed } from './run-seed.ts'
import { type Theme, themeOf, themes } from './themes.ts'

/** Seeds that run at a time: they wait more than they work. */
const parallel = 3
/** Faults of one run. */
const kindsMax = 8
/** A fault that found nothing to strike gets another chance; on a busy machine some need several. */
const roundsMax = 15

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

interface Run {
  readonly seed: number
  readonly kinds: readonly string[]
}

const postgres = new SharedPostgres()
let spares: Spares
before(() => {
  spares = new Spares(parallel)
})
after(async () => {
  await spares.close()
  await postgres.close()
})

test('under every fault, the destinations hold exactly the expected lines', async t => {
  const struck = new Set<string>()
  const left = () => faultKinds.filter(kind => canHappen(kind) && !struck.has(kind.name))
  let seed = 1
  for (let round = 1; round <= roundsMax && left().length > 0; round++) {
    const runs = runsFor(left(), seed)
    seed = Math.max(...runs.map(run => run.seed)) + 1
    const work = async () => {
      for (let run = runs.shift(); run !== undefined; run = runs.shift())
        for (const name of await strike(run)) struck.add(name)
    }
    await Promise.all(Array.from({ length: parallel }, work))
  }
  t.diagnostic(`${struck.size} kinds of faults struck`)
  assert.deepEqual(
    left().map(({ name }) => name),
    [],
    'faults that never struck',
  )
})

function canHappen({ name, needs }: FaultKind): boolean {
  if (needs === 'nats') return hasNats
  return hasPrlimit || !name.startsWith('disk of')
}

/** @returns the names of what has struck */
async function strike({ seed, kinds }: Run): Promise<Iterable<string>> {
  const { problems, story, injected, lines } = await runSeed(seed, spares, postgres, kinds)
  const again = `again: npm run faults -- --seed ${seed} --kinds '${kinds.join(', ')}'`
  assert.deepEqual(problems, [], `${again}\n${story.join('\n')}`)
  assert.ok(lines > 0, `nothing was delivered; ${again}`)
  return injected.keys()
}

/** For each theme, and for what only some seeds have, as many seeds as it takes to let all of these strike. */
function runsFor(kinds: readonly FaultKind[], from: number): Run[] {
  const groups = new Map<string, FaultKind[]>()
  for (const kind of kinds) {
    const { needs = 'any' } = kind
    const group = isTheme(needs) || needs === 'nats' || needs === 'postgres' ? needs : 'any'
    groups.set(group, [...(groups.get(group) ?? []), kind])
  }
  const runs: Run[] = []
  let seed = from
  for (const [group, ofGroup] of groups)
    for (let at = 0; at < ofGroup.length; at += kindsMax) {
      const names = ofGroup.slice(at, at + kindsMax).map(({ name }) => name)
      seed = seedFor(isTheme(group) ? group : 'any', names, seed)
      runs.push({ seed: seed++, kinds: names })
    }
  return runs
}

function isTheme(needs: string): needs is Theme {
  return (themes as readonly string[]).includes(needs)
}

/** The next seed of a theme where all of these can happen. */
function seedFor(theme: Theme, kinds: readonly string[], from: number): number {
  for (let seed = from; ; seed++)
    if (themeOf(seed) === theme) {
      const possible = possibleFaults(scenarioOf(seed, kinds))
      if (kinds.every(kind => possible.includes(kind))) return seed
    }
}
