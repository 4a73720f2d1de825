/**
 * Seeded faults against delivery: `npm run faults -- [--seeds 300] [--from 1] [--seed N] [--parallel 2]`, with one seed
 * also `[--kinds '503, kill writer']`, which then strike in this order.
 * Ends with 1 when a seed left anything but the expected lines at a destination.
 */
import { parseArgs } from 'node:util'
import { SharedPostgres } from '../support/shared-postgres.ts'
import { Spares } from './children.ts'
import { runSeed, type SeedResult } from './run-seed.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    kinds: { type: 'string' },
    parallel: { type: 'string', default: '2' },
  },
})
const from = Number(values.seed ?? values.from)
const to = values.seed === undefined ? from + Number(values.seeds) - 1 : from
const kinds = values.seed === undefined ? undefined : values.kinds?.split(/ *, */)
const startMs = Date.now()
const results: SeedResult[] = []
const spares = await Spares.open(['delivery', 'writer'])
const postgres = new SharedPostgres()
let next = from

async function work(): Promise<void> {
  while (next <= to) {
    const result = await runSeed(next++, spares, postgres, kinds)
    results.push(result)
    tellResult(result)
  }
}

function tellResult({ seed, theme, problems, story, lines, objects, injected }: SeedResult): void {
  const faults = [...injected.values()].reduce((sum, count) => sum + count, 0)
  const verdict = problems.length === 0 ? 'good' : 'BAD'
  console.log(`seed ${seed} (${theme}): ${verdict}, ${faults} faults, ${lines} lines, ${objects} objects`)
  if (problems.length === 0 && values.seed === undefined) return
  for (const line of story) console.log(`    ${line}`)
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
  console.log(`  again: npm run faults -- --seed ${seed}`)
}

await Promise.all(Array.from({ length: Number(values.parallel) }, work))
await spares.close()
await postgres.close()
// A library of the database server ends the process with 0 when it is left to end by itself.
process.exit(tellSummary() ? 0 : 1)

/** @returns whether all is good */
function tellSummary(): boolean {
  const kinds = new Map<string, number>()
  for (const { injected } of results)
    for (const [kind, count] of injected) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  for (const [kind, count] of [...kinds].sort(([, a], [, b]) => b - a))
    console.log(`${String(count).padStart(7)}  ${kind}`)
  const sum = (of: (result: SeedResult) => number) => results.reduce((total, result) => total + of(result), 0)
  const bad = results.filter(({ problems }) => problems.length > 0).map(({ seed }) => seed)
  console.log(
    `${results.length} seeds, ${sum(({ lines }) => lines)} lines in ${sum(({ objects }) => objects)} objects, ` +
      `${Math.round((Date.now() - startMs) / 1000)} s; ` +
      (bad.length === 0 ? 'all good' : `${bad.length} bad: ${bad.sort((a, b) => a - b).join(' ')}`),
  )
  return bad.length === 0
}
