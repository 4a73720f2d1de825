import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'sluice-main-'))
after(() => rmSync(folder, { recursive: true }))

const files = {
  assertion: `test('one', () => assert.equal(1, 2))`,
  rejection: `test('one', () => { void Promise.reject('lost'); return sleep(5) })`,
  // All tests have ended by then.
  exception: `test('one', () => void setTimeout(() => { throw 'lost' }, 20))`,
  end: `test('one', () => process.exit(0))`,
  suite: `describe('all of it', { skip: 'no server' }, () => test('one', () => {}))`,
}

test('npm test fails with each error, names its file, and lists a suite that is skipped', () => {
  const paths = Object.entries(files).map(([name, code]) => written(name, code))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...paths], {
    env,
    encoding: 'utf8',
  })
  assert.equal(status, 1, stdout)
  for (const told of [
    /FAILED 1, 0 .*assertion\.test\.ts$/m,
    /FAILED 1, 1 .*rejection\.test\.ts$/m,
    /^unhandledRejection in .*rejection\.test\.ts: lost$/m,
    /FAILED 1, 1 .*exception\.test\.ts$/m,
    /^uncaughtException in .*exception\.test\.ts: lost$/m,
    /^The process ended before .*end\.test\.ts was done\.$/m,
    /^skipped no server: .*suite\.test\.ts: all of it$/m,
    / 4 failed, 1 skipped/,
  ])
    assert.match(stdout, told)
})

/** @returns its path from the checkout, as `npm test` takes it */
function written(name: string, code: string): string {
  const path = join(folder, `${name}.test.ts`)
  const imports = `import assert from 'node:assert'; import { describe, test } from 'node:test'; import { setTimeout as sleep } from 'node:timers/promises'`
  writeFileSync(path, `${imports}\n${code}\n`)
  return relative(root, path)
}
