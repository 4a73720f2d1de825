import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('the module runs on ECMAScript with TextEncoder, TextDecoder, performance.now and setTimeout', () => {
  const script = fileURLToPath(new URL('./testing/bare-context.ts', import.meta.url))
  const options = ['--experimental-vm-modules', '--no-warnings', script]
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), [
    { matched: ['2 ARGS:q'], requestScore: 5, bodyBytes: 0 },
    { matched: ['1 ARGS:id'], requestScore: 5, bodyBytes: 100_020 },
  ])
})
