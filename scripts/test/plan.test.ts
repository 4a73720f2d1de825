import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { namedPaths, planJobs } from './plan.ts'

const root = join(import.meta.dirname, '../..')

test('every test file is run once, by npm test or by npm run check', () => {
  const planned = planJobs(root, []).flatMap(({ files }) => files.map(file => relative(root, file)))
  const all = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', 'dist'] })
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [checked] = /\S+\.test\.ts/.exec(scripts['check:docs'])!
  assert.deepEqual([...planned, checked].toSorted(), all.toSorted())
})

test('the plan names only files and folders that exist', () => {
  assert.deepEqual(
    namedPaths.filter(path => !existsSync(join(root, path))),
    [],
  )
})

test('a folder or a file is run by itself', () => {
  const files = (...wanted: string[]) => planJobs(root, wanted).flatMap(job => job.files)
  assert.deepEqual(files('scripts/test/plan.test.ts'), [import.meta.filename])
  assert.deepEqual(files('scripts/test/'), [join(import.meta.dirname, 'main.test.ts'), import.meta.filename])
  assert.throws(() => files('scripts/tests'), /scripts\/tests is not a test file and holds none/)
})
