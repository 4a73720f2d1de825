import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { mutations } from './list.ts'
import type { Mutation } from './mutation.ts'
import { Tree } from './tree.ts'

/**
 * `npm run mutations`: puts mistakes into copies of the engine, one at a time, and tells which test notices.
 * `npm run mutations -- gate memo` tries those whose name holds one of the words. Fails when one is not noticed.
 */
const { values, positionals: words } = parseArgs({
  options: { jobs: { type: 'string', default: '2' } },
  allowPositionals: true,
})
const chosen = mutations.filter(({ name }) => words.length === 0 || words.some(word => name.includes(word)))
const problems: string[] = []
let done = 0
let killed = 0

const trees = Array.from({ length: Number(values.jobs) }, () => new Tree())
try {
  await checkTests()
  if (problems.length === 0) await inParallel(chosen, attempt)
} finally {
  for (const tree of trees) tree.remove()
}
console.log(`${chosen.length} mutations: ${killed} killed, ${problems.length} not`)
for (const problem of problems) console.log(`  ${problem}`)
if (problems.length > 0) process.exitCode = 1

/** Without a mistake every test must pass: else anything is noticed. */
async function checkTests(): Promise<void> {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))]
  await inParallel(files, async (file, tree) => {
    const outcome = await tree.run(file)
    if (outcome.kind === 'passed') return
    const what = outcome.kind === 'failed' ? outcome.test : outcome.message
    problems.push(`without any mistake ${file} fails: ${what}`)
  })
}

async function attempt(mutation: Mutation, tree: Tree): Promise<void> {
  const started = performance.now()
  const result = await resultOf(mutation, tree)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`[${++done}/${chosen.length}] ${mutation.name}: ${result} (${seconds} s)`)
  if (result.startsWith('killed')) killed++
  else problems.push(`${mutation.name}: ${result}`)
}

async function resultOf(mutation: Mutation, tree: Tree): Promise<string> {
  const undo = tree.apply(mutation)
  if (undo === undefined) return `STALE, its place is not in ${mutation.file}`
  try {
    for (const file of mutation.tests) {
      const outcome = await tree.run(file)
      if (outcome.kind === 'failed') return `killed by "${outcome.test}" (${basename(file)})`
      if (outcome.kind === 'broken') return `BROKEN, ${lastLine(outcome.message)}`
    }
    return 'SURVIVED'
  } finally {
    undo()
  }
}

function lastLine(text: string): string {
  return (
    text
      .split('\n')
      .find(line => /Error/.test(line))
      ?.trim() ?? text.trim().slice(0, 200)
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
