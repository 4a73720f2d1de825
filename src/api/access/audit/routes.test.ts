import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { email, openTestApi, type TestApi } from '../../testing/test-api.ts'

let api: TestApi
let nowMs = Date.parse('2026-06-01T12:00:00Z')
let logs: string
before(async () => {
  api = await openTestApi({ clock: { nowMs: () => nowMs++ } })
  logs = `/accounts/${api.accountId}/audit_logs`
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: entries are looked into everywhere
type Any = any

async function entries(query = ''): Promise<Any[]> {
  const { status, body } = await api.send('GET', `${logs}?per_page=1000${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.result
}

const brief = ({ action, resource }: Any) => `${action.type} ${resource.type}`

test('every kind of change has an audit entry, and refused changes have none', async () => {
  const zone = {
    name: 'audited.example',
    account: { id: api.accountId },
    origin: { url: 'http://127.0.0.1:9000' },
  }
  const zoneId = (await api.send('POST', '/zones', zone)).body.result.id
  await api.send('PATCH', `/zones/${zoneId}`, { paused: true })
  const job = { destination_conf: `file://${api.directory}/logs`, dataset: 'http_requests', enabled: false }
  const { id: jobId } = (await api.send('POST', `/zones/${zoneId}/logpush/jobs`, job)).body.result
  await api.send('PUT', `/zones/${zoneId}/logpush/jobs/${jobId}`, { name: 'named' })
  await api.send('DELETE', `/zones/${zoneId}/logpush/jobs/${jobId}`)
  const entryPoint = `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`
  const made = await api.send('PUT', entryPoint, { rules: [{ action: 'block', expression: 'true' }] })
  await api.send('PUT', entryPoint, { rules: [] })
  await api.send('PUT', `${entryPoint}?dry_run=true`, { rules: [] })
  await api.send('DELETE', `/zones/${zoneId}/rulesets/${made.body.result.id}`)
  const list = await api.send('POST', `/accounts/${api.accountId}/rules/lists`, { name: 'bad', kind: 'ip' })
  await api.send('DELETE', `/accounts/${api.accountId}/rules/lists/${list.body.result.id}`)
  const shadow = { enabled: false, version: 'latest', paranoia_level: 2, score_threshold: 5, sample_rate: 0 }
  await api.send('PUT', `/zones/${zoneId}/waf/shadow`, shadow)
  await api.send('DELETE', `/zones/${zoneId}`)
  await api.send('DELETE', `/zones/${zoneId}`)
  assert.equal((await api.send('POST', '/zones', { ...zone, name: '-' })).status, 400)
  assert.deepEqual((await entries('&direction=asc')).map(brief), [
    'create zone',
    'update zone',
    'create logpush_job',
    'update logpush_job',
    'delete logpush_job',
    'create ruleset',
    'update ruleset',
    'delete ruleset',
    'create list',
    'delete list',
    'create shadow',
    'delete zone',
  ])
})

test('an entry has the actor, the address, the action, and the values before and after', async () => {
  const tokenId = (await api.send('GET', '/user/tokens/verify')).body.result.id
  await api.send('PATCH', api.zonePath, { paused: true })
  const [entry] = await entries()
  assert.equal(entry.oldValueJson.paused, false)
  assert.equal(entry.newValueJson.paused, true)
  assert.deepEqual(entry, {
    id: entry.id,
    when: entry.when,
    action: { type: 'update', result: true },
    actor: { id: tokenId, email, ip: '127.0.0.1', type: 'user' },
    interface: 'API',
    metadata: {
      method: 'PATCH',
      path: `/client/v4${api.zonePath}`,
      token_id: tokenId,
      zone_id: api.zoneId,
      zone_name: 'shop.example',
    },
    owner: { id: api.accountId },
    resource: { id: api.zoneId, type: 'zone' },
    oldValue: JSON.stringify(entry.oldValueJson),
    oldValueJson: entry.oldValueJson,
    newValue: JSON.stringify(entry.newValueJson),
    newValueJson: entry.newValueJson,
  })
})

test('the trail has neither token values nor destination secrets', async () => {
  const policies = [
    {
      effect: 'allow',
      permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
    },
  ]
  const made = (await api.send('POST', '/user/tokens', { name: 'secret', policies })).body.result
  const rolled = (await api.send('PUT', `/user/tokens/${made.id}/value`, {})).body.result
  await api.send('DELETE', `/user/tokens/${made.id}`)
  const found = await entries('&direction=desc')
  assert.deepEqual(found.slice(0, 3).map(brief), ['delete token', 'roll token', 'create token'])
  const text = JSON.stringify(found)
  assert.ok(!text.includes(made.value))
  assert.ok(!text.includes(rolled))
  const stored = await api.store.audit.list(api.accountId, { offset: 0, limit: 1000 })
  assert.ok(!JSON.stringify(stored).includes('"hash"'))
})

test('the trail is filtered and paged', async () => {
  const all = await entries()
  const [newest] = all
  assert.ok(all.length > 10)
  const ids = (found: readonly Any[]) => found.map(({ id }) => id)
  assert.deepEqual(ids(await entries('&direction=asc')), ids(all).reverse())
  assert.deepEqual(ids(await entries(`&id=${newest.id}`)), [newest.id])
  assert.deepEqual(ids(await entries(`&since=${newest.when}`)), [newest.id])
  assert.deepEqual(ids(await entries(`&before=${newest.when}`)), ids(all.slice(1)))
  assert.equal((await entries('&since=2026-06-01')).length, all.length)
  assert.equal((await entries('&before=2026-06-01')).length, 0)
  assert.ok((await entries('&action.type=create')).every(({ action }) => action.type === 'create'))
  const tokens = await entries('&resource.type=token')
  assert.ok(tokens.length > 0 && tokens.every(({ resource }) => resource.type === 'token'))
  assert.equal((await entries('&resource.type=nothing')).length, 0)
  assert.equal((await entries(`&actor.id=${newest.actor.id}`)).length, all.length)
  assert.equal((await entries(`&actor.id=${'0'.repeat(32)}`)).length, 0)
  assert.ok((await entries('&zone.name=shop.example')).length > 0)
  assert.equal((await entries('&zone.name=never.example')).length, 0)
  assert.equal((await entries(`&actor.email=${email}`)).length, all.length)
  assert.equal((await entries('&actor.email=you@localhost')).length, 0)
  assert.equal((await entries('&actor.ip=127.0.0.1')).length, all.length)
  assert.equal((await entries('&actor.ip=127.0.0.2')).length, 0)
  const paged: string[] = []
  for (let page = 1; page < 50; page++) {
    const { result } = (await api.send('GET', `${logs}?page=${page}&per_page=3`)).body
    if (result.length === 0) break
    paged.push(...ids(result))
  }
  assert.deepEqual(paged, ids(all))
  for (const query of ['since=yesterday', 'per_page=1001', 'direction=up', 'page=0'])
    assert.equal((await api.send('GET', `${logs}?${query}`)).status, 400, query)
})
