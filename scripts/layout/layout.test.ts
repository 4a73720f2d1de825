import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutProblems } from './check.ts'
import { strayLimits } from './limit-names.ts'
import { readmeProblems } from './module-readmes.ts'

function folder(path: string, files: number): readonly string[] {
  return Array.from({ length: files }, (_, index) => `${path}/file-${index}.ts`)
}

const cases = [
  { name: 'a full folder of the edge', files: folder('src/edge/exchange', 16), wrong: ['src/edge/exchange'] },
  {
    name: 'tests are not counted',
    files: [...folder('src/api/zones', 15), 'src/api/zones/zones.test.ts'],
    wrong: [],
  },
  {
    name: 'a full folder of the dashboard',
    files: folder('dashboard/src/ui', 16),
    wrong: ['dashboard/src/ui'],
  },
  { name: 'a full folder elsewhere', files: folder('src/kit', 31), wrong: ['src/kit'] },
  { name: 'one file for each row', files: folder('src/waf/transformations', 40), wrong: [] },
  {
    name: 'product files named like tests',
    files: ['src/bus/local/test-spool.ts', 'src/rulesets/list-test.ts', 'dashboard/src/ui/row.spec.tsx'],
    wrong: ['src/bus/local/test-spool.ts', 'src/rulesets/list-test.ts', 'dashboard/src/ui/row.spec.tsx'],
  },
  {
    name: 'helpers in testing folders, and words that contain test',
    files: [
      'src/edge/testing/fixture.ts',
      'src/kit/latest.ts',
      'src/waf/protest.ts',
      'test/support/test-data.ts',
    ],
    wrong: [],
  },
] as const

for (const { name, files, wrong } of cases)
  test(name, () => {
    assert.deepEqual(
      layoutProblems(files).map(problem => problem.split(':')[0]),
      wrong,
    )
  })

const limitCases = [
  { name: 'a limit beside its use', file: 'src/bus/port.ts', text: 'const bytesMax = 64 * 1024', wrong: 1 },
  { name: 'an exported least value', file: 'src/bus/port.ts', text: 'export const minBytes = 5', wrong: 1 },
  { name: 'a limit in capitals', file: 'src/kit/ids.ts', text: 'const TEXT_MAX = 1e3', wrong: 1 },
  {
    name: 'a number that limits nothing',
    file: 'src/bus/port.ts',
    text: 'const sliceBytes = 4096',
    wrong: 0,
  },
  { name: 'a limit in a function', file: 'src/bus/port.ts', text: '  const bytesMax = 2 * length', wrong: 0 },
  { name: 'a limit of limits.ts', file: 'src/bus/limits.ts', text: 'const bytesMax = 4', wrong: 0 },
  { name: 'a limit of a test', file: 'src/bus/port.test.ts', text: 'const bytesMax = 4', wrong: 0 },
] as const

for (const { name, file, text, wrong } of limitCases)
  test(`limits: ${name}`, () => assert.equal(strayLimits([file], () => text).length, wrong))

test('a module has a README, which names its folders', () => {
  const files = ['src/bus/index.ts', 'src/bus/local/spool/frame.ts', 'src/bus/testing/suite.ts']
  const problemsWith = (readme: string) => readmeProblems([...files, 'src/bus/README.md'], () => readme)
  assert.deepEqual(problemsWith('| `local` | on the disk |'), [])
  assert.deepEqual(problemsWith('- `local/spool/frame.ts`'), [])
  assert.match(
    problemsWith('on the local disk')[0]!,
    /^src\/bus\/README\.md: does not name the folder `local`/,
  )
  assert.match(readmeProblems(files, () => '')[0]!, /^src\/bus: no README\.md/)
})
