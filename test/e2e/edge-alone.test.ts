import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { type Server, startPostgres } from '../support/servers.ts'
import { type ApiAnswer, api, type Instance, runSluice, startSluice } from '../support/sluice.ts'

/** Edges on their own machines: their database goes away, and changes come to one of them first. */
const host = 'alone.test'

let directory: string
let postgres: Server
let origin: Origin
let control: Instance
let edge: Instance
let otherEdge: Instance | undefined
let lateEdge: Instance | undefined
let zonePath: string
let rolloutPath: string

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-edge-alone-'))
  ;[postgres, origin] = await Promise.all([startPostgres(), startOrigin()])
  control = await start('control', 'control')
  edge = await start('edge', 'edge,delivery')
  const [account] = (await done('GET', '/accounts')).result
  rolloutPath = `/accounts/${account.id}/rollout`
  const zone = { name: host, account: { id: account.id }, origin: { url: origin.url } }
  zonePath = `/zones/${(await done('POST', '/zones', zone)).result.id}`
  const items = [{ ip: '127.0.0.0/8' }]
  const list = await done('POST', `/accounts/${account.id}/rules/lists`, { name: 'local', kind: 'ip' })
  await done('POST', `/accounts/${account.id}/rules/lists/${list.result.id}/items`, items)
  await putRules('ip.src in $local and http.request.uri.path eq "/blocked"')
  await eventually(async () => assert.equal(await statusOf('/blocked'), 403))
})

after(async () => {
  await Promise.all([edge.kill(), otherEdge?.kill(), lateEdge?.kill(), control.kill()])
  await Promise.all([postgres.close(), origin.close()])
  await rm(directory, { recursive: true, force: true })
})

test('an edge whose database is away starts with its last plans, and says so', async () => {
  await postgres.stop()
  await edge.kill()
  edge = await start('edge', 'edge,delivery')
  assert.equal(await statusOf('/blocked'), 403)
  assert.equal(await statusOf('/open'), 200)
  const answer = await fetch(`${edge.healthUrl}/readyz`)
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /changes cannot be read from the database since/)
  assert.match(await (await fetch(`${edge.healthUrl}/metrics`)).text(), /^sluice_database_up 0$/m)
  assert.equal(edge.output().split('changes cannot be read').length, 2)
  assert.equal((await stat(join(directory, 'edge', 'edge-copy', '1.sqlite'))).mode & 0o777, 0o600)
})

test('it catches up when the database is back', async () => {
  await postgres.start()
  await eventually(() => putRules('http.request.uri.path eq "/other"'))
  await eventually(async () => assert.equal(await statusOf('/other'), 403))
  assert.equal(await statusOf('/blocked'), 200)
  assert.doesNotMatch(await (await fetch(`${edge.healthUrl}/readyz`)).text(), /cannot be read/)
})

test('a change while the edge is down is in force at its next start', async () => {
  await edge.kill()
  await putRules('http.request.uri.path eq "/newest"')
  edge = await start('edge', 'edge,delivery')
  assert.equal(await statusOf('/newest'), 403)
  assert.equal(await statusOf('/other'), 200)
})

test('a staged change that blocks more requests is withdrawn, new edges wait, and a person brings it to all', async () => {
  await control.kill()
  control = await start('control', 'control', { SLUICE_ROLLOUT_SHARE: '50', SLUICE_ROLLOUT_PERIOD: '1h' })
  otherEdge = await start('other-edge', 'edge')
  const edges = [edge, otherEdge]
  const rollout = async () => (await done('GET', rolloutPath)).result
  await eventually(async () => assert.equal((await rollout()).first_edges.length, 1))
  assert.match(await status(), /^idle, 1 first edge \(a share of 50 %\)\nnext: the first edges take/)
  const blocks = () => Promise.all(edges.map(one => statusOf('/page', one)))
  await putRules('http.request.uri.path eq "/page"')
  await eventually(async () => assert.deepEqual((await blocks()).sort(), [200, 403]))
  let isReady = false
  const late = start('late-edge', 'edge,delivery').finally(() => {
    isReady = true
  })
  late.catch(() => {})
  await eventually(async () => {
    await Promise.all(Array.from({ length: 50 }, blocks))
    assert.equal((await rollout()).state, 'halted')
  })
  assert.match((await rollout()).reason, /requests were blocked or challenged/)
  assert.match(
    await status(),
    /^halted, 1 change, since [^,]+, 1 first edge \(a share of 50 %\), .* were blocked[^\n]*\nfirst edges: \d+ requests, [\d.]+ % mitigated, 0.0 % failed\nother edges: .*\nnext: `sluice rollout retry` stages/,
  )
  await eventually(async () => assert.deepEqual(await blocks(), [200, 200]))
  assert.equal(isReady, false, 'the newest documents are not for it')
  await done('POST', rolloutPath, { action: 'proceed' })
  await eventually(async () => assert.deepEqual(await blocks(), [403, 403]))
  lateEdge = await late
  assert.match(lateEdge.output(), /this edge has no copy of its documents, and the newest changes are/)
  await eventually(async () => assert.equal(await statusOf('/page', lateEdge), 403))
  const refused = await api(control, 'POST', rolloutPath, { action: 'retry' })
  assert.equal(refused.status, 400)
})

/** The output of the command. */
async function status(): Promise<string> {
  const reach = { CLOUDFLARE_BASE_URL: control.apiUrl, CLOUDFLARE_API_TOKEN: control.token }
  const { code, stdout, stderr } = await runSluice(['rollout', 'status'], reach)
  assert.equal(code, 0, stderr)
  return stdout
}

async function start(
  machine: string,
  roles: string,
  settings: Record<string, string> = {},
): Promise<Instance> {
  return startSluice({
    data: join(directory, machine),
    settings: {
      SLUICE_ROLES: roles,
      SLUICE_DATABASE_URL: postgres.url,
      SLUICE_SECRET_KEY: '5a'.repeat(32),
      SLUICE_HEALTH_LISTEN: '127.0.0.1:0',
      SLUICE_CRS: await miniCrs(),
      ...settings,
    },
  })
}

async function statusOf(path: string, of = edge): Promise<number> {
  const answer = await origin.through(of.edgePort, host, path)
  await answer.text()
  return answer.status
}

async function putRules(expression: string): Promise<void> {
  const rules = [{ action: 'block', expression }]
  await done('PUT', `${zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`, { rules })
}

async function done(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  const answer = await api(control, method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.errors))
  return answer
}
