import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'

const semantics = 'src/waf/transaction/semantics.test.ts'
const secrules = 'src/waf/conformance/secrules-*.test.ts'

/** Tests of a folder's code that are in other folders. */
export const furtherTests: Readonly<Record<string, readonly string[]>> = {
  'src/expressions': ['src/expressions/{,cases/}*.test.ts'],
  'src/logpush/batch': ['src/logpush/{run/delivery,output/format}.test.ts'],
  'src/regex': ['src/regex/*.test.ts'],
  'src/waf/actions': [semantics, secrules],
  'src/waf/bodies': [
    'src/waf/bodies/*.test.ts',
    'src/waf/conformance/secrules-body-variables.conformance.test.ts',
    'src/waf/transaction/charset.test.ts',
  ],
  'src/waf/compile': [semantics, secrules],
  'src/waf/operators': [secrules, 'src/waf/differential/snapshot.differential.test.ts'],
  'src/waf/prefilter': ['src/waf/differential/{prefilter,memo,mask}.differential.test.ts'],
  'src/waf/program': [semantics, 'src/waf/compile/rule-details.test.ts', secrules],
  'src/waf/snapshot': ['src/waf/differential/snapshot.differential.test.ts'],
  'src/waf/transaction': ['src/waf/compile/rule-details.test.ts', secrules],
  'src/waf/variables': [semantics, secrules],
}

/**
 * Test files of a source file: the tests beside it, or in the nearest folder above that has tests, and the tests of the table.
 * @param root folder of the repository; paths are relative to it
 */
export function testsFor(file: string, root: string): string[] {
  const further = Object.entries(furtherTests)
    .filter(([folder]) => file.startsWith(`${folder}/`))
    .flatMap(([, patterns]) => globSync([...patterns], { cwd: root }))
  return [...new Set([...testsBeside(dirname(file), root), ...further])]
}

function testsBeside(folder: string, root: string): string[] {
  const tests = globSync(`${folder}/*.test.ts`, { cwd: root })
  return tests.length > 0 || folder === '.' ? tests : testsBeside(dirname(folder), root)
}

/**
 * Source files below the given paths, without tests.
 * @throws when a path does not exist
 */
export function sourcesIn(paths: readonly string[], root: string): string[] {
  return paths.flatMap(path => {
    if (!existsSync(join(root, path))) throw new Error(`There is no ${path}`)
    const found = path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`, { cwd: root })
    return found.filter(file => !/\.test\.ts$|test-support|\/testing\//.test(file)).sort()
  })
}
