import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parseSync } from 'vite'
import { operators as wafOperators } from '../../src/waf/operators/index.ts'
import { transformations } from '../../src/waf/transformations/index.ts'
import { equivalentMutants, isMade } from './equivalent.ts'
import { mutantsOf } from './mutants.ts'
import { operators } from './operators.ts'
import { inOrder, selectMutants } from './selection.ts'
import { furtherTests, testsFor } from './tests.ts'

const root = join(import.meta.dirname, '../..')

/** `operator: mutated source` of each mutant. */
function linesOf(source: string): string[] {
  return mutantsOf('a.ts', source).map(
    ({ operator, start, end, replacement }) =>
      `${operator}: ${source.slice(0, start)}${replacement}${source.slice(end)}`,
  )
}

const rows: Record<string, readonly string[]> = {
  'if (a) b()': ['condition: if (true) b()', 'condition: if (false) b()', 'statement: if (a) ;'],
  'while (a < b) c()': [
    'condition: while (false) c()',
    'comparison: while (a <= b) c()',
    'statement: while (a < b) ;',
  ],
  'x = a && (b || c)': [
    'statement: ;',
    'operand: x = a',
    'operand: x = (b || c)',
    'operand: x = a && (b)',
    'operand: x = a && (c)',
  ],
  'const same = a /* === */ === b': ['comparison: const same = a /* === */ !== b'],
  'const x = !a': ['not: const x = a'],
  "const x = [0x20, 8, true, 'id']": [
    'array: const x = []',
    "number: const x = [(0x20 - 1), 8, true, 'id']",
    "number: const x = [0x20, 7, true, 'id']",
    "boolean: const x = [0x20, 8, false, 'id']",
    "string: const x = [0x20, 8, true, '']",
  ],
  'const x = /^a$/i': ['regex: const x = /a$/i', 'regex: const x = /^a/i'],
  'const x = { a, b: c }': ['property: const x = { ...{}, b: c }', 'property: const x = { a, ...{} }'],
  'const x = Math.min(a.trim(), fold(b))': [
    'call: const x = a.trim()',
    'method: const x = Math.max(a.trim(), fold(b))',
    'call: const x = Math.min(a, fold(b))',
    'call: const x = Math.min(a.trim(), b)',
  ],
  'const f = (a: string) => a.length': ['return: const f = (a: string) => undefined'],
  'function f() { return a - b }': [
    'return: function f() { return undefined }',
    'arithmetic: function f() { return a + b }',
  ],
  // Types, names, messages and assertions have no mutants.
  "type A = 'a' | 1": [],
  "import a from 'a'": [],
  "throw new Error('a text for people')": ['statement: ;'],
  "assert(a === 1, 'must hold')": [],
  'const { a }: { a: 1 } = b as 1': [],
}

for (const [source, want] of Object.entries(rows)) {
  test(`mutants of ${source}`, () => assert.deepEqual(linesOf(source), want))
}

test('each operator has an example', () => {
  const shown = new Set(Object.values(rows).flatMap(lines => lines.map(line => line.split(':')[0])))
  assert.deepEqual([...shown].sort(), [...operators].sort())
})

test('a mutant knows the functions around it, and its position', () => {
  const source = `const limit = 8
class Box {
  take(): number { const twice = (n: number) => n * 2; return twice(limit) }
}`
  const { line, column, scope } = mutantsOf('a.ts', source).find(({ operator }) => operator === 'arithmetic')!
  assert.deepEqual({ line, column, scope }, { line: 3, column: 51, scope: 'Box.take.twice' })
})

test('the mutants of the engine are programs', () => {
  for (const mutant of inOrder(selectMutants(['src/waf/transformations', 'src/waf/operators'], root), 1)) {
    const source = readFileSync(join(root, mutant.file), 'utf8')
    const changed = source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end)
    const { errors } = parseSync(mutant.file, changed)
    assert.deepEqual(errors, [], `${mutant.file}:${mutant.line}:${mutant.column} ${mutant.replacement}`)
  }
})

test('each transformation and each operator of the WAF can be named', () => {
  const scopes = selectMutants(['src/waf/transformations', 'src/waf/operators'], root).map(
    ({ scope }) => scope,
  )
  for (const [table, names] of Object.entries({ transformations, operators: wafOperators })) {
    for (const name of names.keys()) assert.ok(scopes.includes(`${table}.${name}`), name)
  }
})

test('words select by file, line, column and name', () => {
  const file = 'src/waf/transformations/url-decode.ts'
  const all = selectMutants([file], root)
  const { line, column, scope } = all.at(-1)!
  assert.deepEqual(selectMutants([`${file}:${line}:${column}`], root).at(-1), all.at(-1))
  assert.ok(selectMutants([`${file}:${line}`], root).every(mutant => mutant.line === line))
  assert.ok(selectMutants([file, scope], root).every(mutant => mutant.scope === scope))
  assert.deepEqual(selectMutants(['percentDecode'], root), selectMutants([file, 'percentDecode'], root))
  assert.throws(() => selectMutants([], root), /Name a folder, a file or a function/)
  assert.throws(() => selectMutants(['src/none.ts'], root), /There is no src\/none.ts/)
  assert.throws(() => selectMutants([file, 'noFunction'], root), /No function is named noFunction/)
})

test('the seed decides the order, and files and functions take turns', () => {
  const mutants = selectMutants(
    ['src/waf/transformations/base64.ts', 'src/waf/transformations/case.ts'],
    root,
  )
  const order = inOrder(mutants, 7)
  assert.deepEqual(inOrder(mutants, 7), order)
  assert.notDeepEqual(inOrder(mutants, 8), order)
  assert.equal(order.length, mutants.length)
  assert.notEqual(order[0]!.file, order[1]!.file)
  assert.notEqual(order[0]!.scope, order[2]!.scope)
})

test('the tables of further tests and of equivalent mutants fit the sources', () => {
  for (const [folder, patterns] of Object.entries(furtherTests)) {
    assert.ok(existsSync(join(root, folder)), folder)
    for (const pattern of patterns) assert.ok(globSync(pattern, { cwd: root }).length > 0, pattern)
  }
  for (const [file, scope, names] of equivalentMutants) {
    const mutants = mutantsOf(file, readFileSync(join(root, file), 'utf8'))
    for (const name of names)
      assert.ok(
        mutants.some(mutant => mutant.scope === scope && isMade(mutant, name)),
        `${file} ${scope} ${name}`,
      )
  }
})

test('the tests of a file are beside it, else above it, and in the table', () => {
  assert.ok(
    testsFor('src/regex/syntax/unicode/folding.ts', root).includes('src/regex/syntax/unicode.test.ts'),
  )
  const found = testsFor('src/waf/operators/compare.ts', root)
  assert.ok(found.includes('src/waf/operators/operators.test.ts'))
  assert.ok(found.includes('src/waf/conformance/secrules-operators.conformance.test.ts'))
})

/** A separate repository with one source and its test. */
function aRepository(t: TestContext, source: string, tests: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutations-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'src/grade.ts'), source)
  writeFileSync(join(folder, 'src/grade.test.ts'), `import { test } from 'node:test'\n${tests}`)
  execFileSync('git', ['init', '-q'], { cwd: folder })
  return folder
}

function runIn(folder: string, ...words: string[]) {
  const main = join(import.meta.dirname, 'main.ts')
  // The test runner's environment would change the output of the tests.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, [main, 'src', ...words], { cwd: folder, encoding: 'utf8', env })
}

test('a run lists the survivors and leaves the checkout unchanged', t => {
  const source = `export function grade(points: number): string {
  if (points >= 50) return 'pass'
  return 'fail'
}
export function unused(a: number): number {
  while (a > 1) a--
  return a
}
`
  const folder = aRepository(
    t,
    source,
    `import { equal } from 'node:assert/strict'
import { grade } from './grade.ts'
test('grade', () => { equal(grade(60), 'pass'); equal(grade(40), 'fail') })`,
  )
  const { stdout, status } = runIn(folder)
  assert.equal(status, 1, stdout)
  assert.match(stdout, /grade\.ts:2: survived \(comparison in grade\)\n {2}- if \(points >= 50\)/)
  assert.match(
    stdout,
    /\n {2}\+ if \(points > 50\) .*\n {2}repeat: npm run mutations -- src\/grade\.ts:2:14\n/,
  )
  assert.match(stdout, /src\/grade\.ts unused: no test covers lines 6, 7/)
  assert.match(stdout, /\n(\d+) of \1 mutants: 4 killed, 2 survived, 5 not covered\n$/)
  assert.equal(readFileSync(join(folder, 'src/grade.ts'), 'utf8'), source)
})

test('a mutant can neither write outside the copy nor run forever', t => {
  const outside = join(tmpdir(), `mutations-outside-${process.pid}`)
  const folder = aRepository(
    t,
    `import { writeFileSync } from 'node:fs'
export function save(flag: boolean): void {
  if (flag) writeFileSync(${JSON.stringify(outside)}, '')
  let left = 3
  while (left > 0) left -= 1
}`,
    `import { save } from './grade.ts'
test('save', () => save(false))`,
  )
  const { stdout } = runIn(folder, '--jobs', '4')
  assert.equal(existsSync(outside), false)
  assert.match(stdout, /\n(\d+) of \1 mutants/)
  assert.doesNotMatch(stdout, /\+ if \(true\)|\+ while \(left > 0\) (left \+= 1|;)/)
})

test('a test that fails without a mutation ends the run', t => {
  const folder = aRepository(t, 'export const a = 1', "test('bad', () => { throw new Error() })")
  const { stderr, status } = runIn(folder)
  assert.equal(status, 1)
  assert.match(stderr, /src\/grade\.test\.ts fails without a mutation: bad/)
})

test('a run ends after its minutes', t => {
  const folder = aRepository(t, 'export const a = 1', "import './grade.ts'\ntest('a', () => {})")
  assert.match(runIn(folder, '--minutes', '0').stdout, /\n0 of 1 mutants/)
})
