import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutProblems } from './check.ts'

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
