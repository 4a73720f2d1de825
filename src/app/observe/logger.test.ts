import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openAuditLog } from '../edge/audit-log.ts'

const program = `
  import { createLogger, outliveOutput } from ${JSON.stringify(join(import.meta.dirname, 'logger.ts'))}
  outliveOutput()
  const logger = createLogger()
  for (let n = 0; n < 5000; n++) {
    logger.info({ pad: 'x'.repeat(1000) }, 'a line')
    if (n % 100 === 0) console.log('a line for a person')
    if (n % 500 === 0) await new Promise(resolve => setTimeout(resolve, 5))
  }
  process.exit(42)
`

test('a process continues when its output cannot be written', async () => {
  const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : 'pipe'
  for (const stderr of ['pipe', full] as const) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', stderr],
    })
    // The readers close their ends.
    child.stdout!.destroy()
    child.stderr?.destroy()
    assert.equal(await new Promise(resolve => child.on('close', resolve)), 42)
  }
})

test('an audit log on a full disk drops lines and reports it', {
  skip: !existsSync('/dev/full'),
}, async () => {
  const told: string[] = []
  const log = await openAuditLog('/dev/full', 'all', 'json', message => told.push(message))
  for (let n = 0; n < 3; n++) log.write('{}')
  assert.deepEqual(told, ['the audit log cannot be written: 1 requests are not in it'])
})
