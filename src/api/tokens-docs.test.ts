import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { phases } from '../model/resource.ts'
import { areasOfPhase } from './permissions-check.ts'
import { groupOf, permissionGroups } from './permissions-groups.ts'
import { openTestApi, token } from './test-api.ts'

const page = await readFile(join(import.meta.dirname, '../../docs/tokens.md'), 'utf8')

test('the page lists every permission group, and what each phase needs', () => {
  for (const { name, scopes, id } of permissionGroups)
    assert.ok(page.includes(`| ${name} | ${scopes.join(', ')} | \`${id}\` |`), name)
  const base = (name: string) => name.replace(/ Read$/, '')
  for (const phase of phases) {
    const row = page.split('\n').find(line => line.startsWith('|') && line.includes(`\`${phase}\``))
    const shown = row
      ?.split('|')
      .slice(2, 4)
      .map(cell => cell.trim())
    const names = (['zone', 'account'] as const).map(scope =>
      areasOfPhase(scope, phase)
        .map(area => base(groupOf(area, 'read').name))
        .join(' and '),
    )
    assert.deepEqual(shown, names, phase)
  }
})

test('the examples of the page run as printed', async t => {
  const run = promisify(execFile)
  if (
    await run('curl', ['--version']).then(
      () => false,
      () => true,
    )
  )
    return t.skip('there is no curl')
  const api = await openTestApi()
  t.after(() => api.close())
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const zone = { name: 'localhost', account: { id: api.accountId }, origin: { url: 'http://127.0.0.1:9000' } }
  await api.send('POST', '/zones', zone)
  await mkdir(join(api.directory, 'data'))
  await writeFile(join(api.directory, 'data/admin-token'), `${token}\n`)
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) =>
    block.replaceAll('http://127.0.0.1:8787', base),
  )
  const { stdout } = await run('bash', ['-e', '-c', `${blocks.join('\necho\n')}`], { cwd: api.directory })
  const answers = stdout.split(/(?<=\})\s*(?=\{"result")/).filter(text => text.trim() !== '')
  const read = answers.map(text => JSON.parse(text))
  assert.equal(read.length, 7)
  for (const answer of read) assert.equal(answer.success, true)
  const [verified, , , deleted, , newest] = read
  assert.equal(verified.result.status, 'active')
  assert.equal(deleted.result.id, verified.result.id)
  assert.equal(newest.result[0].resource.type, 'token')
})
