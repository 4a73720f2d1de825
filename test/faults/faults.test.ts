import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { hasNats } from '../support/servers.ts'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { Spares } from './children.ts'
import { possibleFaults, scenarioOf } from './choose-scenario.ts'
import { type FaultKind, faultKinds } from './fault-kinds.ts'
import { runSeed } from './run-seed.ts'

/** Seeds that run at a time: they wait more than they work. */
const parallel = 3
/** Faults of one run. */
const kindsMax = 8
/** Enough for the rarest kind. */
const seedsToChooseFrom = 60
/** A fault that found nothing to strike gets another chance; on a busy machine some need several. */
const roundsMax = 15

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

interface Run {
  readonly seed: number
  readonly kinds: readonly string[]
}

const postgres = new SharedPostgres()
let spares: Spares
before(async () => {
  spares = await Spares.open(['delivery', 'writer'])
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
    // One that fails lets the others end: without the spares, which close with the test, they never would.
    const ends = await Promise.allSettled(Array.from({ length: parallel }, work))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
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
  assert.ok(lines > 0, `no record was to be delivered; ${again}`)
  return injected.keys()
}

const none: ReadonlySet<string> = new Set()

/** Few seeds that let all of these strike: those first in which the most can happen that others lack. */
function runsFor(kinds: readonly FaultKind[], from: number): Run[] {
  const seeds = Array.from({ length: seedsToChooseFrom }, (_, n) => from + n)
  const possible = new Map(
    seeds.map(seed => [seed, new Set(possibleFaults(scenarioOf(seed, []))) as ReadonlySet<string>]),
  )
  const rarity = new Map(
    kinds.map(({ name }) => [name, 1 / seeds.filter(seed => possible.get(seed)!.has(name)).length]),
  )
  const worth = ({ name }: FaultKind) => rarity.get(name)!
  let left = kinds.toSorted((a, b) => worth(b) - worth(a))
  const runs: Run[] = []
  while (left.length > 0) {
    const choice = seeds.map(seed => {
      const struck = left.filter(({ name }) => possible.get(seed)!.has(name)).slice(0, kindsMax)
      return { seed, struck, worth: struck.reduce((sum, kind) => sum + worth(kind), 0) }
    })
    const { seed, struck } = choice.reduce((best, one) => (one.worth > best.worth ? one : best))
    assert.ok(struck.length > 0, `no seed from ${from} lets these strike: ${left.map(({ name }) => name)}`)
    left = left.filter(kind => !struck.includes(kind))
    possible.set(seed, none)
    runs.push({ seed, kinds: struck.map(({ name }) => name) })
  }
  return runs
}
