import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bareEnvironment } from '../../kit/testing/bare-environment.ts'
import { lockRoles } from './role-locks.ts'

function aDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-roles-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('a role runs once on a data directory, beside others', async t => {
  const data = aDirectory(t)
  const unlock = await lockRoles(data, new Set(['control', 'edge']))
  await assert.rejects(
    lockRoles(data, new Set(['delivery', 'edge'])),
    /with the role edge on the data directory/,
  )
  const other = await lockRoles(data, new Set(['delivery']))
  unlock()
  const again = await lockRoles(data, new Set(['control', 'edge']))
  for (const end of [other, again]) end()
})

test('a second start on a data directory is refused before it touches anything', async t => {
  const data = aDirectory(t)
  t.after(await lockRoles(data, new Set(['delivery'])))
  for (const roles of ['control,edge,delivery', 'delivery']) {
    const before = readdirSync(data)
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../cli/main.ts'), 'serve', '--data', data, '--roles', roles],
      { stdio: ['ignore', 'pipe', 'pipe'], env: bareEnvironment },
    )
    let said = ''
    child.stdout.on('data', data => (said += String(data)))
    child.stderr.on('data', data => (said += String(data)))
    const code = await new Promise(resolve => child.on('close', resolve))
    assert.notEqual(code, 0)
    assert.match(said, /another Sluice runs with the role delivery on .*SLUICE_DATA/)
    const locks = readdirSync(data).filter(name => !before.includes(name))
    assert.deepEqual(
      locks.filter(name => !name.startsWith('lock-')),
      [],
    )
  }
})
