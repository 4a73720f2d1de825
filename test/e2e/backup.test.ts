import assert from 'node:assert/strict'
import { appendFile, chmod, cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { readLogFiles } from '../support/log-files.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type Server, startPostgres } from '../support/servers.ts'
import { api, discard, type Finished, type Instance, runSluice, startSluice } from '../support/sluice.ts'

/** A backup that was made beside traffic is restored into an empty machine, which then serves. */
let folder: string
let backup: string
let origin: Origin
let sluice: Instance
let postgres: Server
let zonePath: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'))
  backup = join(folder, 'backup')
  ;[origin, postgres] = await Promise.all([startOrigin(), startPostgres()])
  sluice = await startSluice({ settings: { SLUICE_CRS: await miniCrs() } })
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = { name: 'kept.test', account: { id: account.id }, origin: { url: origin.url } }
  zonePath = `/zones/${(await done('POST', '/zones', zone)).id}`
  await done('PUT', `${zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: 'block', expression: 'http.request.uri.path eq "/blocked"' }],
  })
  await done('POST', `${zonePath}/logpush/jobs`, {
    destination_conf: `file://${join(folder, 'lines')}`,
    logpull_options: 'fields=ClientRequestPath',
    enabled: true,
  })
  await inForce(sluice)
})

after(async () => {
  await discard(sluice)
  await Promise.all([origin.close(), postgres.close()])
  await rm(folder, { recursive: true })
})

async function done(method: string, path: string, body?: unknown) {
  const answer = await api(sluice, method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  return answer.result
}

async function statusOf(path: string): Promise<number> {
  const answer = await origin.through(sluice.edgePort, 'kept.test', path)
  await answer.text()
  return answer.status
}

function succeeded({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 0, stderr)
  return stdout
}

const pathsIn = async () =>
  (await readLogFiles(join(folder, 'lines'))).map(line => line['ClientRequestPath'] as string)

test('a restored machine serves the same configuration, and repeats no line', async () => {
  for (let sent = 1; sent <= 5; sent++) assert.equal(await statusOf(`/before/${sent}`), 200)
  await eventually(async () => assert.equal((await pathsIn()).length, 5))
  let ended = false
  const traffic = (async () => {
    for (let sent = 1; !ended; sent++) assert.equal(await statusOf(`/beside/${sent}`), 200)
  })()
  const printed = succeeded(await runSluice(['backup', backup, '--with-key', '--data', sluice.data]))
  ended = true
  await traffic
  assert.match(printed, /^\d+ rows in /)
  const modes = await Promise.all(
    ['', 'backup.json', 'secret-key', 'sluice.db'].map(
      async name => (await stat(join(backup, name))).mode & 0o777,
    ),
  )
  assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600])
  assert.deepEqual((await readdir(backup)).toSorted(), ['backup.json', 'secret-key', 'sluice.db'])

  const before = await done('GET', `${zonePath}/logpush/jobs`)
  await discard(sluice)
  const linesBefore = await pathsIn()
  const data = join(folder, 'restored')
  await chmod(join(backup, 'sluice.db'), 0o644)
  succeeded(await runSluice(['restore', backup, '--data', data]))
  assert.equal((await stat(join(data, 'sluice.db'))).mode & 0o777, 0o600)
  sluice = await startSluice({ data, settings: { SLUICE_CRS: await miniCrs() } })
  assert.equal(await statusOf('/blocked'), 403)
  assert.equal(await statusOf('/after'), 200)
  const [job] = await done('GET', `${zonePath}/logpush/jobs`)
  assert.equal(job.destination_conf, before[0].destination_conf)
  await eventually(async () => assert.ok((await pathsIn()).includes('/after')))
  const lines = await pathsIn()
  assert.deepEqual(lines.slice(0, linesBefore.length).toSorted(), linesBefore.toSorted())
  assert.equal(new Set(lines).size, lines.length, 'a line came twice')
})

test('a backup goes from SQLite to PostgreSQL, and from PostgreSQL to SQLite', async () => {
  const url = ['--database-url', postgres.url]
  const data = join(folder, 'of-postgres')
  succeeded(await runSluice(['restore', backup, '--data', data, ...url]))
  assert.deepEqual(await readdir(data), ['secret-key'])
  const twice = await runSluice(['restore', backup, '--data', data, ...url])
  assert.match(twice.stderr, /is in use/)
  const second = join(folder, 'second')
  succeeded(await runSluice(['backup', second, '--data', data, ...url]))
  assert.deepEqual(await readdir(second), ['backup.json', 'sluice.db'])
  const [one, other] = await Promise.all(
    [backup, second].map(async path => JSON.parse(await readFile(join(path, 'backup.json'), 'utf8'))),
  )
  assert.equal(one.rows, other.rows)
})

test('a wrong backup, a wrong key and a used directory are refused, and nothing is written', async () => {
  const empty = join(folder, 'empty')
  const restore = async (from: string, settings = {}) =>
    (await runSluice(['restore', from, '--data', empty], settings)).stderr
  assert.match(await restore(join(folder, 'none')), /is not a complete backup/)
  assert.match(await restore(join(folder, 'second')), /the backup has no key: set SLUICE_SECRET_KEY/)
  assert.match(await restore(backup, { SLUICE_SECRET_KEY: '5a'.repeat(32) }), /another key/)
  const broken = join(folder, 'broken')
  await cp(backup, broken, { recursive: true })
  await appendFile(join(broken, 'sluice.db'), 'x')
  assert.match(await restore(broken), /sluice\.db is not as it was written/)
  assert.deepEqual(await readdir(empty).catch(() => []), [])
  const used = await runSluice(['restore', backup, '--data', sluice.data])
  assert.match(used.stderr, /is in use: it has /)
  const again = await runSluice(['backup', backup, '--data', sluice.data])
  assert.match(again.stderr, /is not empty/)
})
