import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { libraryFlags } from './support/library.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/guides/embed-the-engine.md'), 'utf8')

test('the snippets of docs/guides/embed-the-engine.md run and print what they say', () => {
  const program = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(block => block[1]).join('\n')
  const printed = [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(line => line[1])
  assert.ok(printed.length > 5)
  const options = { input: program, encoding: 'utf8', cwd: import.meta.dirname } as const
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...libraryFlags, '--input-type=module', '-'],
    options,
  )
  assert.equal(stderr, '')
  assert.deepEqual(stdout.trimEnd().split('\n'), printed)
})
