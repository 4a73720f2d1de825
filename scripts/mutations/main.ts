/**
 * `npm run mutations -- [PATH | PATH:LINE[:COLUMN] | NAME]… [--minutes 10] [--seed N] [--jobs N]`: tests mutants in copies
 * of the repository and lists the survivors, which no test detects. Exits with 1 when there is a survivor.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Mutant } from './mutants.ts'
import { inOrder, selectMutants } from './selection.ts'
import { testsFor } from './tests.ts'
import { type Reaches, Tree } from './tree.ts'

const root = process.cwd()

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
  allowPositionals: true,
})
const deadline = Date.now() + Math.round(Number(values.minutes) * 60_000)
const mutants = inOrder(selected(), Number(values.seed))
const tests = new Map<string, { ms: number; reaches: Reaches }>()
const counts = { killed: 0, survived: 0, uncovered: 0 }
const uncovered = new Map<string, Mutant[]>()

const trees = Array.from({ length: Number(values.jobs) }, () => new Tree(root))
process.on('exit', () => {
  for (const tree of trees) tree.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const testsOf = new Map(
  [...new Set(mutants.map(({ file }) => file))].map(file => [file, testsFor(file, root)]),
)
const testFiles = [...new Set([...testsOf.values()].flat())]
console.log(
  `${mutants.length} mutants, ${testFiles.length} test files, seed ${values.seed}, at most ${values.minutes} minutes`,
)
const progress = setInterval(tellProgress, 30_000)
await inParallel(testFiles, measure)
await inParallel(mutants, attempt)
clearInterval(progress)
for (const [scope, group] of uncovered) tellUncovered(scope, group)
tellProgress()
if (counts.survived + counts.uncovered > 0) process.exitCode = 1

function selected(): Mutant[] {
  try {
    return selectMutants(positionals, root)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

/** A test that fails on the unchanged code would seem to kill every mutant. */
async function measure(testFile: string, tree: Tree): Promise<void> {
  const started = Date.now()
  if (started >= deadline) return
  const { outcome, reaches } = await tree.measure(testFile, deadline - started)
  if (Date.now() >= deadline) return
  if (outcome.kind === 'failed') {
    console.error(`${testFile} fails without a mutation: ${outcome.by}`)
    process.exit(1)
  }
  tests.set(testFile, { ms: Date.now() - started, reaches })
}

async function attempt(mutant: Mutant, tree: Tree): Promise<void> {
  if (Date.now() >= deadline) return
  const covering = testsOf
    .get(mutant.file)!
    .map(file => ({ file, ...tests.get(file)! }))
    .filter(({ reaches }) => reaches(mutant))
    .sort((a, b) => a.ms - b.ms)
  if (covering.length === 0) {
    counts.uncovered++
    const scope = `${mutant.file} ${mutant.scope}`
    uncovered.set(scope, [...(uncovered.get(scope) ?? []), mutant])
    return
  }
  const before = tree.read(mutant.file)
  const undo = tree.apply(mutant)
  try {
    for (const { file, ms } of covering) {
      if (Date.now() >= deadline) return
      const outcome = await tree.run(file, ms * 4 + 3000)
      if (outcome.kind === 'passed') continue
      counts.killed++
      return
    }
    counts.survived++
    tellSurvivor(mutant, before)
  } finally {
    undo()
  }
}

function tellSurvivor(mutant: Mutant, source: string): void {
  const { file, line, column, operator, scope, start, end, replacement } = mutant
  const from = source.lastIndexOf('\n', start - 1) + 1
  const to = source.indexOf('\n', end)
  console.log(`
${file}:${line}: survived (${operator} in ${scope || 'the file'})
  - ${firstLine(source.slice(from, to))}
  + ${firstLine(source.slice(from, start) + replacement + source.slice(end, to))}
  repeat: npm run mutations -- ${file}:${line}:${column}`)
}

function tellUncovered(scope: string, group: readonly Mutant[]): void {
  const lines = [...new Set(group.map(({ line }) => line))].sort((a, b) => a - b)
  console.log(`\n${scope}: no test covers ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`)
}

function firstLine(text: string): string {
  const [first, ...others] = text.trim().split('\n')
  return others.length === 0 ? first! : `${first} …`
}

function tellProgress(): void {
  const { killed, survived, uncovered } = counts
  console.log(
    `${killed + survived + uncovered} of ${mutants.length} mutants: ${killed} killed, ${survived} survived, ${uncovered} not covered`,
  )
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, tree: Tree) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  await Promise.all(
    trees.map(async tree => {
      for (const item of waiting) await work(item, tree)
    }),
  )
}
