import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readLogFiles } from '../support/log-files.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { hasNats, type Server, startNats, startPostgres } from '../support/servers.ts'
import { type ApiAnswer, api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'

/**
 * The roles in separate processes that share only PostgreSQL and NATS: changes through the API are in force at the edge,
 * the edge's records are delivered, and the edge continues without a database.
 */
const skip = !existsSync(testCrs)
  ? 'needs an OWASP CRS release, and none was found'
  : !hasNats && 'no nats-server on the path'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'

let directory: string
let postgres: Server
let nats: Server
let origin: Origin
let control: Instance
let edge: Instance
let delivery: Instance
let zonePath: string

before(async () => {
  if (skip) return
  directory = await mkdtemp(join(tmpdir(), 'sluice-scale-out-'))
  ;[postgres, nats, origin] = await Promise.all([startPostgres(), startNats(), startOrigin()])
  control = await start('control')
  ;[edge, delivery] = await Promise.all([start('edge'), start('delivery')])
})

after(async () => {
  if (skip) return
  await Promise.all([control, edge, delivery].map(discard))
  await Promise.all([postgres.close(), nats.close(), origin.close()])
  await rm(directory, { recursive: true, force: true })
})

test('each process says which of its parts answer', { skip }, () => {
  assert.deepEqual([control.edgeUrl, edge.apiUrl, delivery.apiUrl, delivery.edgeUrl], ['', '', '', ''])
  assert.match(control.apiUrl, /^http:/)
  assert.match(edge.edgeUrl, /^http:/)
})

test('an attack is blocked at the edge and its line delivered, each by a separate process', {
  skip,
}, async () => {
  const [account] = (await done('GET', '/accounts')).result
  const zone = { name: 'shop.test', account: { id: account.id }, origin: { url: origin.url } }
  zonePath = `/zones/${(await done('POST', '/zones', zone)).result.id}`
  await eventually(async () => assert.equal(await visit('/ordinary'), 200))
  assert.equal(await visit(attack('unprotected')), 200)

  const categories = [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false }))
  await done('PUT', `${zonePath}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [
      {
        action: 'execute',
        expression: 'true',
        action_parameters: {
          id: owasp,
          overrides: { categories, rules: [{ id: lastRule, score_threshold: 5 }] },
        },
      },
    ],
  })
  await done('POST', `${zonePath}/logpush/jobs`, {
    destination_conf: `file://${join(directory, 'lines')}`,
    logpull_options: 'fields=ClientRequestPath,EdgeResponseStatus,SecurityActions',
    filter: '{"where":{"key":"ClientRequestPath","operator":"startsWith","value":"/kept"}}',
    enabled: true,
  })
  await eventually(async () => assert.equal(await visit(attack('dropped')), 403))
  assert.equal(await visit(attack('kept/attack')), 403)
  assert.equal(await visit('/kept/ordinary'), 200)
  await delivered([
    { ClientRequestPath: '/kept/attack', EdgeResponseStatus: 403, SecurityActions: ['block'] },
    { ClientRequestPath: '/kept/ordinary', EdgeResponseStatus: 200, SecurityActions: [] },
  ])
})

test('all workers of the edge share the connections of their process', { skip }, async () => {
  const client = new pg.Client(postgres.url)
  await client.connect()
  const { rows } = await client.query(
    "select count(*)::int as count from pg_stat_activity where application_name = 'edge'",
  )
  await client.end()
  assert.deepEqual(rows, [{ count: 2 }])
})

test('the edge serves without a database, and everything goes on when it is back', { skip }, async () => {
  await postgres.stop()
  await sleep(500)
  const refused = await api(control, 'GET', zonePath)
  assert.equal(refused.status, 503, JSON.stringify(refused))
  for (let round = 0; round < 5; round++) {
    assert.equal(await visit('/during'), 200)
    assert.equal(await visit(attack('during')), 403)
    await sleep(100)
  }
  assert.equal(await visit('/kept/during'), 200)

  await postgres.start()
  await eventually(async () => assert.equal((await api(control, 'GET', zonePath)).status, 200))
  await done('PUT', `${zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: 'block', expression: 'http.request.uri.path eq "/kept/later"' }],
  })
  // Delivery may have lost its lease meanwhile, and takes a moment to get it again.
  await eventually(async () => assert.ok((await deliveredPaths()).includes('/kept/during')))
  await eventually(async () => assert.equal(await visit('/kept/later'), 403))
})

test('each process ends cleanly, and nothing is lost or doubled', { skip }, async () => {
  const exits = []
  for (const instance of [edge, delivery, control]) exits.push(await instance.stop())
  assert.deepEqual(exits, [0, 0, 0])
  const paths = await deliveredPaths()
  assert.equal(paths.filter(path => path === '/kept/during').length, 1)
  assert.equal(paths.filter(path => path === '/kept/attack').length, 1)
  assert.ok(paths.includes('/kept/later'))
})

async function deliveredPaths(): Promise<readonly unknown[]> {
  return (await readLogFiles(join(directory, 'lines'))).map(line => line['ClientRequestPath'])
}

function start(role: string): Promise<Instance> {
  return startSluice({
    settings: {
      SLUICE_ROLES: role,
      SLUICE_DATABASE_URL: `${postgres.url}?application_name=${role}`,
      SLUICE_NATS_URL: nats.url,
      SLUICE_SECRET_KEY: '5a'.repeat(32),
      ...(role === 'control' ? { SLUICE_CRS: testCrs } : {}),
      ...(role === 'edge' ? { SLUICE_WORKERS: '3', SLUICE_DATABASE_CONNECTIONS: '2' } : {}),
    },
  })
}

function attack(path: string): string {
  return `/${path}?q=${encodeURIComponent("1' UNION SELECT password FROM users -- ")}`
}

async function visit(path: string): Promise<number> {
  return (await origin.through(edge.edgePort, 'shop.test', path)).status
}

async function done(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  const answer = await api(control, method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  return answer
}

async function delivered(want: readonly object[]): Promise<void> {
  await eventually(async () => {
    const lines = await readLogFiles(join(directory, 'lines'))
    assert.deepEqual(
      lines.toSorted((a, b) => String(a['ClientRequestPath']).localeCompare(String(b['ClientRequestPath']))),
      want,
    )
  })
}

/** Until the check holds, for a minute at most, since a second batch waits for half of one; then with what it says. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await sleep(100)
  }
}
