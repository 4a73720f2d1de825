import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { settingDeclarations } from '../../src/model/settings.ts'
import { api, discard, type Instance, runSluice, sharedCrs, startSluice } from '../support/sluice.ts'

/** Starting and the command line, as a person at a terminal meets them. */
const skip = existsSync(sharedCrs) ? false : 'needs ../shared/crs: the CRS is not part of the project'
const olderCrs = join(sharedCrs, '..', '3.3.10')

let directory: string

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-start-'))
})

after(() => rm(directory, { recursive: true, force: true }))

interface Refused {
  readonly name: string
  readonly words?: readonly string[]
  readonly settings?: { readonly [variable: string]: string }
  readonly code: number
  readonly says: readonly string[]
  readonly hides?: string
}

const refusals: readonly Refused[] = [
  {
    name: 'unknown variable',
    settings: { SLUICE_EGDE_LISTEN: '127.0.0.1:80' },
    code: 2,
    says: ['SLUICE_EGDE_LISTEN', 'did you mean SLUICE_EDGE_LISTEN?'],
  },
  {
    name: 'several mistakes at once',
    words: ['--worker=2', '--edge-listen', 'nowhere'],
    settings: { SLUICE_ROLES: 'edge,proxy', SLUICE_ADMIN_TOKEN: 'hunter2' },
    code: 2,
    says: [
      'no setting --worker; did you mean --workers?',
      "'nowhere' is not a valid value for --edge-listen: allowed is HOST:PORT",
      "'edge,proxy' is not a valid value for SLUICE_ROLES: allowed is a comma-separated list of control, edge",
      'SLUICE_ADMIN_TOKEN: allowed is 16 to 256',
    ],
    hides: 'hunter2',
  },
  {
    name: 'rules that are not there',
    settings: { SLUICE_CRS: '/no/such/crs' },
    code: 1,
    says: ['/no/such/crs', 'does not exist'],
  },
  {
    name: 'database that does not answer',
    settings: {
      SLUICE_DATABASE_URL: 'postgres://admin:hunter2@127.0.0.1:1/sluice',
      SLUICE_SECRET_KEY: '5a'.repeat(32),
    },
    code: 1,
    says: ['the database does not answer', '127.0.0.1:1'],
    hides: 'hunter2',
  },
  {
    name: 'database elsewhere and no key for it',
    settings: { SLUICE_DATABASE_URL: 'postgres://admin:hunter2@127.0.0.1:1/sluice' },
    code: 1,
    says: ['SLUICE_SECRET_KEY'],
    hides: 'hunter2',
  },
]

test('what cannot work stops the start and says why', async t => {
  for (const { name, words = [], settings = {}, code, says, hides } of refusals)
    await t.test(name, async () => {
      const data = join(directory, name.replaceAll(' ', '-'))
      const ended = await runSluice(['serve', ...words], { SLUICE_DATA: data, ...settings })
      assert.equal(ended.code, code, ended.stderr)
      assert.equal(ended.stdout, '')
      for (const part of says) assert.ok(ended.stderr.includes(part), `${part} in: ${ended.stderr}`)
      if (hides !== undefined) assert.ok(!ended.stderr.includes(hides), 'a secret is shown')
      if (code === 2) assert.ok(!existsSync(data), 'nothing is made before the settings are right')
    })
})

test('an address that is taken stops the start', { skip }, async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const taken = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const ended = await runSluice(['serve'], {
    SLUICE_DATA: join(directory, 'taken'),
    SLUICE_CRS: sharedCrs,
    SLUICE_WORKERS: '1',
    SLUICE_API_LISTEN: '127.0.0.1:0',
    SLUICE_EDGE_LISTEN: taken,
  })
  server.close()
  assert.equal(ended.code, 1, ended.stderr)
  assert.ok(ended.stderr.includes('EADDRINUSE') && ended.stderr.includes(taken), ended.stderr)
  assert.ok(!ended.stdout.includes('sluice ready'), ended.stdout)
})

test('the first start tells the credentials once, and the second asks for nothing', { skip }, async t => {
  const started: Instance[] = []
  t.after(() => Promise.all(started.map(instance => instance.kill())))
  const data = join(directory, 'twice')
  const own = { SLUICE_ADMIN_TOKEN: undefined }
  const first = await startSluice({ data, settings: { ...own, SLUICE_CRS: sharedCrs } })
  started.push(first)
  const [, token] = /administrator's token \(.*\): (\S+)/.exec(first.output()) ?? []
  const [, key] = /key of admin@localhost for X-Auth-Key \(.*\): (\S+)/.exec(first.output()) ?? []
  assert.ok(token && key, first.output())
  assert.equal(await first.stop(), 0)
  for (const [file, secret] of [
    ['admin-token', token],
    ['admin-key', key],
  ] as const) {
    assert.equal(await readFile(join(data, file), 'utf8'), `${secret}\n`)
    assert.equal((await stat(join(data, file))).mode & 0o777, 0o600, file)
  }
  assert.equal((await stat(data)).mode & 0o777, 0o700)
  assert.equal((await stat(join(data, 'sluice.db'))).mode & 0o777, 0o600)

  const beganMs = performance.now()
  const second = await startSluice({ data, settings: own })
  started.push(second)
  t.diagnostic(`the second start was ready after ${Math.round(performance.now() - beganMs)} ms`)
  assert.equal(second.token, token)
  for (const { output } of started)
    assert.doesNotMatch(
      output().split('sluice ready')[0]!,
      /^\{/m,
      'a line of the log before everything answers',
    )
  assert.doesNotMatch(second.output(), /https:|download|import|apt|administrator's token|key of/i)
  assert.ok(!second.output().includes(token))
  assert.equal((await api(second, 'GET', '/zones')).result.length, 1)
  const byKey = await fetch(`${second.apiUrl}/zones`, {
    headers: { 'x-auth-email': 'admin@localhost', 'x-auth-key': key },
  })
  assert.equal(byKey.status, 200)
  assert.equal((await fetch(second.edgeUrl)).status, 200, 'the sample site is served')
  assert.equal(await second.stop(), 0)
})

test('the command line works beside a running server', { skip }, async t => {
  const sluice = await startSluice({ settings: { SLUICE_CRS: sharedCrs } })
  t.after(() => discard(sluice))
  const run = async (...words: string[]) => {
    const ended = await runSluice(words, { SLUICE_DATA: sluice.data })
    assert.equal(ended.code, 0, `${words}: ${ended.stderr}`)
    return ended.stdout.trimEnd().split('\n')
  }
  const [added] = await run('zones', 'add', 'Shop.Test', '--origin', 'http://127.0.0.1:9000')
  assert.match(added!, /^[0-9a-f]{32} {2}shop\.test {2}http:\/\/127\.0\.0\.1:9000$/)
  assert.ok((await run('zones', 'list')).includes(added!))
  const zone = await api(sluice, 'GET', `/zones/${added!.slice(0, 32)}`)
  assert.equal(zone.result.name, 'shop.test')
  const again = await runSluice(['zones', 'add', 'shop.test', '--origin', 'http://127.0.0.1:9000'], {
    SLUICE_DATA: sluice.data,
  })
  assert.equal(again.code, 1)
  assert.match(again.stderr, /the zone shop\.test is there already/)

  const [token] = await run('tokens', 'create', 'ci')
  const mine = { ...sluice, token: token! }
  assert.equal((await api(mine, 'GET', '/zones')).status, 200)
  const listed = await run('tokens', 'list')
  const line = listed.find(candidate => candidate.endsWith('  ci'))
  assert.ok(line && !listed.join().includes(token!), listed.join('\n'))
  await run('tokens', 'revoke', line.slice(0, 32))
  const { status } = await api(mine, 'GET', '/zones')
  assert.ok(status >= 400 && status < 500, `a revoked token gets ${status}`)

  const releases = async () =>
    (await run('crs', 'list')).map(release => /^. \d+ {2}OWASP CRS \S+/.exec(release)?.[0])
  await run('crs', 'import', olderCrs)
  assert.deepEqual(await releases(), ['  1  OWASP CRS 4.28.0', '* 2  OWASP CRS 3.3.10'])
  await run('crs', 'use', '1')
  assert.deepEqual(await releases(), ['* 1  OWASP CRS 4.28.0', '  2  OWASP CRS 3.3.10'])
})

test('help names every setting, and words that mean nothing are refused', async () => {
  const help = await runSluice(['--help'])
  assert.equal(help.code, 0)
  for (const { variable } of settingDeclarations) assert.ok(help.stdout.includes(variable), variable)
  for (const words of [['nosuch'], ['zones', 'create'], ['serve', '--roles']]) {
    const ended = await runSluice(words, { SLUICE_DATA: join(directory, 'unused') })
    assert.equal(ended.code, 2, `${words}: ${ended.stderr}`)
    assert.match(ended.stderr, /^sluice: .+\nRun `npx sluice --help`/)
  }
})
