import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const script = `
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
const { lowerHelperPriority } = await import(process.argv[1])
lowerHelperPriority()
const priorities = { helpers: [], others: [] }
for (const thread of readdirSync('/proc/self/task')) {
  const isHelper = readFileSync('/proc/self/task/' + thread + '/comm', 'latin1').startsWith('node-V8Worker')
  priorities[isHelper ? 'helpers' : 'others'].push(getPriority(Number(thread)) - getPriority())
}
console.log(JSON.stringify(priorities))`

test('V8 helpers are nicer than all other threads', { skip: process.platform !== 'linux' }, () => {
  const module = new URL('helper-priority.ts', import.meta.url).href
  const words = ['--input-type=module', '--eval', script, module]
  const { helpers, others } = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))
  assert.deepEqual([...new Set(helpers)], [5])
  assert.deepEqual([...new Set(others)], [0])
})
