import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { functions } from './functions/table.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/expressions.md'), 'utf8')

test('the documented example prints the documented output', () => {
  const example = /```js\n(.*?)```/s.exec(page)![1]!
  const wanted = [...example.matchAll(/\/\/ (.*)$/gm)].map(([, output]) => output)
  const entry = pathToFileURL(join(import.meta.dirname, 'index.ts')).href
  const program = example.replace("'sluice/expressions'", `'${entry}'`)
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  assert.deepEqual(output.trim().split('\n'), wanted)
})

test('every function is documented', () => {
  for (const name of functions.keys()) assert.ok(page.includes(`\`${name}(`), name)
})
