import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { miniRelease, writeTree } from '../../src/crs/testing/release.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { settingDeclarations } from '../../src/model/settings/index.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { api, discard, type Instance, runSluice, startSluice, testCrs } from '../support/sluice.ts'

/** Starting and the command line, as a person at a terminal meets them. */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'

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
      "'nowhere' is not a valid value for --edge-listen: allowed is a comma-separated list of HOST:PORT",
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

test('a start that cannot work ends with the reason', async t => {
  for (const { name, words = [], settings = {}, code, says, hides } of refusals)
    await t.test(name, async () => {
      const data = join(directory, name.replaceAll(' ', '-'))
      // The default addresses may be taken by a running Sluice.
      const addresses = {
        SLUICE_API_LISTEN: '127.0.0.1:0',
        SLUICE_EDGE_LISTEN: '127.0.0.1:0',
        SLUICE_EDGE_TLS_LISTEN: 'none',
      }
      const ended = await runSluice(['serve', ...words], { SLUICE_DATA: data, ...addresses, ...settings })
      assert.equal(ended.code, code, ended.stderr)
      assert.equal(ended.stdout, '')
      for (const part of says) assert.ok(ended.stderr.includes(part), `${part} in: ${ended.stderr}`)
      if (hides !== undefined) assert.ok(!ended.stderr.includes(hides), 'a secret is shown')
      if (code === 2) assert.ok(!existsSync(data), 'nothing is made before the settings are right')
    })
})

test('an address that is taken stops the start', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const taken = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const ended = await runSluice(['serve'], {
    SLUICE_DATA: join(directory, 'taken'),
    SLUICE_CRS: await miniCrs(),
    SLUICE_WORKERS: '1',
    SLUICE_API_LISTEN: '127.0.0.1:0',
    SLUICE_EDGE_LISTEN: taken,
    SLUICE_EDGE_TLS_LISTEN: 'none',
  })
  server.close()
  assert.equal(ended.code, 1, ended.stderr)
  assert.ok(ended.stderr.includes('EADDRINUSE') && ended.stderr.includes(taken), ended.stderr)
  assert.ok(!ended.stdout.includes('sluice ready'), ended.stdout)
})

test('the first start tells where the credentials are, and the second asks for nothing', {
  skip,
}, async t => {
  const started: Instance[] = []
  t.after(() => Promise.all(started.map(instance => instance.kill())))
  const data = join(directory, 'twice')
  const own = { SLUICE_ADMIN_TOKEN: undefined }
  const first = await startSluice({ data, settings: { ...own, SLUICE_CRS: testCrs } })
  started.push(first)
  const token = (await readFile(join(data, 'admin-token'), 'utf8')).trim()
  const key = (await readFile(join(data, 'admin-key'), 'utf8')).trim()
  assert.ok(first.output().includes(`the administrator's token is in ${join(data, 'admin-token')}\n`))
  assert.match(first.output(), /the key of admin@localhost for X-Auth-Key is in \S+admin-key\n/)
  assert.ok(first.output().includes(`the rules are OWASP CRS 4.28.0 of 2026, from: ${testCrs}\n`))
  for (const secret of [token, key]) assert.ok(!first.output().includes(secret), 'a secret is printed')
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

test('a first start with an old release says how to get a new one', async t => {
  const year = new Date().getUTCFullYear() - 2
  const licensed = {
    'rules/REQUEST-920-PROTOCOL.conf': `# Copyright (c) 2021-${year} CRS project. All rights reserved.\n`,
  }
  const old = await writeTree(join(directory, 'old-crs'), miniRelease('4.97.0', licensed))
  const instance = await startSluice({ settings: { SLUICE_CRS: old, SLUICE_WORKERS: '1' } })
  t.after(() => discard(instance))
  const [before] = instance.output().split('sluice ready')
  assert.match(before!, new RegExp(`the rules are OWASP CRS \\S+ of ${year}, from: `))
  assert.match(before!, /this release is old: `npx sluice crs sync` imports the newest one/)
})

test('a program that has taken the port of the sample site gets none of its traffic', async t => {
  const started: Instance[] = []
  t.after(() => Promise.all(started.map(instance => instance.kill())))
  const edgePort = await freePort()
  const edgeUrl = `http://127.0.0.1:${edgePort}/`
  const start = async () => {
    const settings = { SLUICE_CRS: await miniCrs(), SLUICE_EDGE_LISTEN: `127.0.0.1:${edgePort}` }
    const instance = await startSluice({ data: join(directory, 'moved'), settings })
    started.push(instance)
    return instance
  }
  const originOf = async (instance: Instance): Promise<string> =>
    (await api(instance, 'GET', '/zones')).result[0].origin.url
  const first = await start()
  const before = await originOf(first)
  assert.match(await (await fetch(edgeUrl)).text(), /sample/i)
  assert.equal(await first.stop(), 0)

  let others = 0
  const other = createHttpServer((_request, response) => {
    others++
    response.end('another program')
  }).listen(Number(new URL(before).port), '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  // From the first moment at which the edge answers.
  const answers: string[] = []
  const asking = setInterval(() => {
    fetch(edgeUrl).then(
      async answer => void answers.push(await answer.text()),
      () => {},
    )
  }, 20)
  t.after(() => clearInterval(asking))
  const second = await start()
  assert.match(await (await fetch(edgeUrl)).text(), /sample/i)
  clearInterval(asking)
  assert.notEqual(await originOf(second), before)
  assert.equal(others, 0)
  assert.ok(answers.every(text => /sample/i.test(text)))
  assert.ok(second.output().includes(`another program uses ${before}: `), second.output())
  assert.equal(await second.stop(), 0)
})

test('the command line works beside a running server', async t => {
  const sluice = await startSluice({ settings: { SLUICE_CRS: await miniCrs() } })
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
  assert.match(again.stderr, /the zone shop\.test exists already/)

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
  await run('crs', 'import', await writeTree(join(directory, 'older'), miniRelease('4.98.0')))
  assert.deepEqual(await releases(), ['  1  OWASP CRS 4.99.0', '* 2  OWASP CRS 4.98.0'])
  await run('crs', 'use', '1')
  assert.deepEqual(await releases(), ['* 1  OWASP CRS 4.99.0', '  2  OWASP CRS 4.98.0'])
})

test('help names every setting, and words that mean nothing are refused', async () => {
  const help = await runSluice(['--help'])
  assert.equal(help.code, 0)
  for (const { variable } of settingDeclarations) assert.ok(help.stdout.includes(variable), variable)
  for (const words of [['nosuch'], ['zones', 'create'], ['serve', '--roles']]) {
    const ended = await runSluice(words, { SLUICE_DATA: join(directory, 'unused') })
    assert.equal(ended.code, 2, `${words}: ${ended.stderr}`)
    assert.match(ended.stderr, /^sluice: .+\nRun `npx sluice (?:[a-z]+ )?--help`/)
  }
})
