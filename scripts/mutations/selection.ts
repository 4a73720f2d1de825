import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isEquivalent } from './equivalent.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { sourcesIn } from './tests.ts'

/**
 * The mutants that the words of the command line name: `src/regex`, `src/regex/search/dfa-memory.ts`, `…/dfa-memory.ts:40`,
 * `…/dfa-memory.ts:40:7`, and names of functions, classes and rows of tables in these files,
 * or anywhere in `src`.
 * @param root folder of the repository
 * @throws when a word names nothing
 */
export function selectMutants(words: readonly string[], root: string): Mutant[] {
  const isPath = (word: string) => /[/:]|\.ts$/.test(word) || existsSync(join(root, word))
  const positions = words.filter(isPath).map(positionOf)
  const names = words.filter(word => !isPath(word))
  if (words.length === 0) throw new Error('Name a folder, a file or a function, for example src/regex')
  if (positions.length === 0) positions.push({ path: 'src' })
  const mutants = positions.flatMap(({ path, line, column }) =>
    sourcesIn([path], root)
      .flatMap(file => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
      .filter(mutant => (line ?? mutant.line) === mutant.line && (column ?? mutant.column) === mutant.column)
      // A position selects equivalent mutants too.
      .filter(mutant => line !== undefined || !isEquivalent(mutant)),
  )
  const isNamed = ({ scope }: Mutant, name: string) => `.${scope}.`.includes(`.${name}.`)
  const unknown = names.find(name => !mutants.some(mutant => isNamed(mutant, name)))
  if (unknown !== undefined) throw new Error(`No function is named ${unknown}`)
  return names.length === 0 ? mutants : mutants.filter(mutant => names.some(name => isNamed(mutant, name)))
}

function positionOf(word: string): { path: string; line?: number; column?: number } {
  const [, path, line, column] = /^(.+?)(?::(\d+))?(?::(\d+))?$/.exec(word)!
  return {
    path: path!.replace(/\/$/, ''),
    ...(line === undefined ? {} : { line: Number(line) }),
    ...(column === undefined ? {} : { column: Number(column) }),
  }
}

/**
 * Shuffled by the seed. Files take turns, and so do the functions of a file, so that a run that ends early has covered all.
 */
export function inOrder(mutants: readonly Mutant[], seed: number): Mutant[] {
  const rankOf = (mutant: Mutant) =>
    createHash('sha1')
      .update(`${seed} ${Object.values(mutant).join(' ')}`)
      .digest('hex')
  const ranked = mutants
    .map(mutant => ({ mutant, rank: rankOf(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant)
  return inTurn(
    inTurn(ranked, ({ file, scope }) => `${file} ${scope}`),
    ({ file }) => file,
  )
}

/** The first mutant of each group, then the second of each, and so on. */
function inTurn(mutants: readonly Mutant[], groupOf: (mutant: Mutant) => string): Mutant[] {
  const groups = [...Map.groupBy(mutants, groupOf).values()]
  const turns = groups.flatMap(group => group.map((mutant, turn) => ({ mutant, turn })))
  return turns.sort((a, b) => a.turn - b.turn).map(({ mutant }) => mutant)
}
