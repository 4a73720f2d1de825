import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { timestampOf } from '../../../kit/clock.ts'
import { newId } from '../../../kit/ids.ts'
import { apiErrors } from '../../http/errors.ts'
import {
  type Answer,
  email,
  key,
  type Method,
  openTestApi,
  type TestApi,
  token,
} from '../../testing/test-api.ts'
import { type Area, groupOf, type Level, superAdministrator } from '../permissions/groups.ts'

let api: TestApi
let nowMs = Date.parse('2026-06-01T12:00:00Z')
before(async () => {
  api = await openTestApi({ clock: { nowMs: () => nowMs } })
})
after(() => api.close())

const root = 'com.cloudflare.api'
const allZones = { [`${root}.account.zone.*`]: '*' }

function policy(groups: readonly (readonly [Area, Level])[], resources: object, effect = 'allow'): object {
  return {
    effect,
    permission_groups: groups.map(([area, level]) => ({ id: groupOf(area, level).id })),
    resources,
  }
}

/** @returns the new token's value */
async function tokenWith(policies: readonly object[], settings: object = {}): Promise<string> {
  const { status, body } = await api.send('POST', '/user/tokens', { name: 'made', policies, ...settings })
  assert.equal(status, 200, JSON.stringify(body))
  return body.result.value
}

async function sendAs(
  value: string,
  method: Method,
  path: string,
  body?: object,
  remoteAddress = '127.0.0.1',
): Promise<Answer> {
  const answer = await api.app.inject({
    method,
    url: `/client/v4${path}`,
    headers: { authorization: `Bearer ${value}` },
    remoteAddress,
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
}

const refusedBelow = [403, { code: 10000, message: 'Authentication error' }]
const refusedAt = [403, { code: 9109, message: 'Unauthorized to access requested resource' }]
const refusedPhase = [403, { message: 'request is not authorized' }]

test('null means absent, as Terraform sends it', async () => {
  const policies = [{ id: null, ...policy([['zoneWaf', 'read']], allZones) }]
  const nothing = { condition: null, not_before: null, expires_on: null, status: null }
  const made = await api.send('POST', '/user/tokens', {
    name: 'nulls',
    policies,
    ...nothing,
    condition: { request_ip: { in: ['127.0.0.0/8'], not_in: null } },
  })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  assert.deepEqual(made.body.result.condition, { request_ip: { in: ['127.0.0.0/8'] } })
  const path = `/user/tokens/${made.body.result.id}`
  const changed = await api.send('PUT', path, { name: 'nulls', policies, ...nothing })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  for (const name of ['condition', 'not_before', 'expires_on'])
    assert.ok(!(name in changed.body.result), name)
  const refused = await api.send('PUT', path, { name: null, policies: [] })
  assert.deepEqual(
    refused.body.errors.map(({ message }: { message: string }) => message),
    ['name is required', "'[]' is not a valid value for policies because it is empty"],
  )
})

test('a token is created, shown without its value, changed, rolled and deleted', async () => {
  const policies = [policy([['zoneWaf', 'write']], allZones)]
  const condition = { request_ip: { in: ['127.0.0.0/8'], not_in: ['127.0.0.9'] } }
  const times = { not_before: '2026-01-01T00:00:00Z', expires_on: '2027-01-01T01:00:00+01:00' }
  const made = await api.send('POST', '/user/tokens', { name: 'ci', policies, condition, ...times })
  const { value, ...shown } = made.body.result
  assert.match(value, /^sluice_[A-Za-z0-9]{40}$/)
  assert.deepEqual(shown, {
    id: shown.id,
    name: 'ci',
    status: 'active',
    issued_on: timestampOf(nowMs),
    modified_on: timestampOf(nowMs),
    not_before: '2026-01-01T00:00:00Z',
    expires_on: '2027-01-01T00:00:00Z',
    policies: [
      {
        id: shown.policies[0].id,
        effect: 'allow',
        resources: allZones,
        permission_groups: [{ id: groupOf('zoneWaf', 'write').id, name: 'Zone WAF Write' }],
      },
    ],
    condition,
  })
  const path = `/user/tokens/${shown.id}`
  assert.deepEqual((await api.send('GET', path)).body.result, shown)
  const listed = (await api.send('GET', '/user/tokens')).body
  assert.deepEqual(
    listed.result.find(({ id }: { id: string }) => id === shown.id),
    shown,
  )
  assert.equal(listed.result_info.total_count, listed.result.length)

  const sent = { name: 'renamed', policies: shown.policies, status: 'disabled' }
  const changed = (await api.send('PUT', path, sent)).body.result
  assert.deepEqual(changed.policies, shown.policies)
  assert.equal(changed.status, 'disabled')
  assert.equal(changed.condition, undefined)
  assert.equal(changed.expires_on, undefined)
  assert.equal((await sendAs(value, 'GET', '/zones')).status, 403)
  await api.send('PUT', path, { ...sent, status: 'active' })
  assert.equal((await sendAs(value, 'GET', '/zones')).status, 200)

  const rolled = (await api.send('PUT', `${path}/value`, {})).body.result
  assert.notEqual(rolled, value)
  assert.equal((await sendAs(value, 'GET', '/zones')).status, 403)
  assert.equal((await sendAs(rolled, 'GET', '/zones')).status, 200)
  assert.deepEqual((await api.send('DELETE', path)).body.result, { id: shown.id })
  assert.equal((await sendAs(rolled, 'GET', '/zones')).status, 403)
  for (const method of ['GET', 'DELETE'] as const) {
    const { status, body } = await api.send(method, path)
    assert.equal(status, 404)
    assert.equal(body.errors[0].code, apiErrors.tokenNotFound.code)
  }
})

test('invalid tokens are refused', async t => {
  const good = policy([['zone', 'read']], allZones)
  const rows: [name: string, body: object, pointer: string][] = [
    ['no name', { policies: [good] }, '/name'],
    ['no policy', { name: 'x', policies: [] }, '/policies'],
    ['no group', { name: 'x', policies: [policy([], allZones)] }, '/policies/0/permission_groups'],
    [
      'unknown group',
      { name: 'x', policies: [{ ...good, permission_groups: [{ id: newId() }] }] },
      '/policies/0/permission_groups/0/id',
    ],
    [
      'unknown resource',
      { name: 'x', policies: [policy([['zone', 'read']], { x: '*' })] },
      '/policies/0/resources',
    ],
    ['no resource', { name: 'x', policies: [policy([['zone', 'read']], {})] }, '/policies/0/resources'],
    [
      'a zone group at an account',
      { name: 'x', policies: [policy([['zone', 'read']], { [`${root}.account.*`]: '*' })] },
      '/policies/0/permission_groups/0/id',
    ],
    ['unknown effect', { name: 'x', policies: [{ ...good, effect: 'maybe' }] }, '/policies/0/effect'],
    ['unknown member', { name: 'x', policies: [good], scopes: [] }, '/scopes'],
    [
      'bad block',
      { name: 'x', policies: [good], condition: { request_ip: { in: ['10.0.0.0/33'] } } },
      '/condition/request_ip/in/0',
    ],
    ['bad time', { name: 'x', policies: [good], expires_on: 'tomorrow' }, '/expires_on'],
    [
      'ends before it begins',
      { name: 'x', policies: [good], not_before: '2027-01-01T00:00:00Z', expires_on: '2027-01-01T00:00:00Z' },
      '/expires_on',
    ],
  ]
  for (const [name, body, pointer] of rows) {
    await t.test(name, async () => {
      const answer = await api.send('POST', '/user/tokens', body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].source.pointer, pointer)
    })
  }
})

test('each permission allows its routes and no others', async t => {
  const account = `/accounts/${api.accountId}`
  const atAccount = { [`${root}.account.${api.accountId}`]: '*' }
  const atZone = { [`${root}.account.zone.${api.zoneId}`]: '*' }
  const custom = `${api.zonePath}/rulesets/phases/http_request_firewall_custom/entrypoint`
  const rules = { rules: [] }
  const rows: [
    name: string,
    groups: readonly (readonly [Area, Level])[],
    resources: object,
    Method,
    path: string,
    body: object | undefined,
    want: unknown,
  ][] = [
    ['zone', [['zone', 'read']], atZone, 'GET', api.zonePath, undefined, 200],
    ['zone, other group', [['zoneWaf', 'write']], atZone, 'GET', api.zonePath, undefined, refusedAt],
    ['zone, write with read', [['zone', 'read']], atZone, 'PATCH', api.zonePath, {}, refusedAt],
    ['zone, write', [['zone', 'write']], atZone, 'PATCH', api.zonePath, {}, 200],
    ['jobs', [['zoneLogs', 'read']], atZone, 'GET', `${api.zonePath}/logpush/jobs`, undefined, 200],
    [
      'jobs, other group',
      [['zone', 'write']],
      atZone,
      'GET',
      `${api.zonePath}/logpush/jobs`,
      undefined,
      refusedBelow,
    ],
    [
      'jobs, account group',
      [['accountLogs', 'write']],
      atAccount,
      'GET',
      `${api.zonePath}/logpush/jobs`,
      undefined,
      refusedBelow,
    ],
    [
      'jobs, write with read',
      [['zoneLogs', 'read']],
      atZone,
      'POST',
      `${api.zonePath}/logpush/jobs`,
      {},
      refusedBelow,
    ],
    ['phase', [['zoneWaf', 'write']], atZone, 'PUT', custom, rules, 200],
    ['phase, read', [['zoneWaf', 'read']], atZone, 'GET', custom, undefined, 200],
    ['phase, write with read', [['zoneWaf', 'read']], atZone, 'PUT', custom, rules, refusedBelow],
    ['phase, another phase', [['zoneLogs', 'write']], atZone, 'PUT', custom, rules, refusedPhase],
    ['phase, none at all', [['zone', 'write']], atZone, 'PUT', custom, rules, refusedBelow],
    [
      'account phase, one of two',
      [['accountWaf', 'write']],
      atAccount,
      'PUT',
      `${account}/rulesets/phases/http_request_firewall_managed/entrypoint`,
      rules,
      refusedBelow,
    ],
    [
      'account phase, both',
      [
        ['accountWaf', 'write'],
        ['accountRulesets', 'write'],
      ],
      atAccount,
      'PUT',
      `${account}/rulesets/phases/http_request_firewall_managed/entrypoint`,
      rules,
      200,
    ],
    ['lists', [['accountLists', 'read']], atAccount, 'GET', `${account}/rules/lists`, undefined, 200],
    [
      'lists, write with read',
      [['accountLists', 'read']],
      atAccount,
      'POST',
      `${account}/rules/lists`,
      { name: 'a', kind: 'ip' },
      refusedBelow,
    ],
    ['audit logs', [['account', 'read']], atAccount, 'GET', `${account}/audit_logs`, undefined, 200],
    [
      'audit logs, other group',
      [['accountWaf', 'write']],
      atAccount,
      'GET',
      `${account}/audit_logs`,
      undefined,
      refusedBelow,
    ],
    ['account tokens', [['accountTokens', 'read']], atAccount, 'GET', `${account}/tokens`, undefined, 200],
    [
      'account tokens, user group',
      [['userTokens', 'write']],
      { [`${root}.user.*`]: '*' },
      'GET',
      `${account}/tokens`,
      undefined,
      refusedBelow,
    ],
    [
      'user tokens',
      [['userTokens', 'read']],
      { [`${root}.user.*`]: '*' },
      'GET',
      '/user/tokens',
      undefined,
      200,
    ],
    [
      'user tokens, other user',
      [['userTokens', 'read']],
      { [`${root}.user.${newId()}`]: '*' },
      'GET',
      '/user/tokens',
      undefined,
      refusedAt,
    ],
    [
      'user tokens, write with read',
      [['userTokens', 'read']],
      { [`${root}.user.*`]: '*' },
      'POST',
      '/user/tokens',
      {},
      refusedAt,
    ],
    [
      'shadow',
      [['zoneWaf', 'read']],
      atZone,
      'DELETE',
      `${api.zonePath}/waf/shadow`,
      undefined,
      refusedBelow,
    ],
    ['the account itself', [['zone', 'write']], atZone, 'GET', account, undefined, refusedAt],
    ['the account by any group', [['accountLists', 'read']], atAccount, 'GET', account, undefined, 200],
  ]
  for (const [name, groups, resources, method, path, body, want] of rows) {
    await t.test(name, async () => {
      const answer = await sendAs(await tokenWith([policy(groups, resources)]), method, path, body)
      assert.deepEqual(answer.status === 200 ? 200 : [answer.status, answer.body.errors[0]], want)
    })
  }
})

test('lists contain only resources that the token may read', async () => {
  const other = await api.send('POST', '/zones', {
    name: 'other.example',
    account: { id: api.accountId },
    origin: { url: 'http://127.0.0.1:9000' },
  })
  const reader = await tokenWith([
    policy([['zone', 'read']], { [`${root}.account.zone.${api.zoneId}`]: '*' }),
  ])
  const zones = (await sendAs(reader, 'GET', '/zones')).body
  assert.deepEqual(
    zones.result.map(({ id }: { id: string }) => id),
    [api.zoneId],
  )
  assert.equal(zones.result_info.total_count, 1)
  assert.deepEqual((await sendAs(reader, 'GET', '/accounts')).body.result, [])
  assert.equal((await sendAs(reader, 'GET', `/zones/${other.body.result.id}`)).status, 403)
  const logs = await tokenWith([policy([['zoneLogs', 'read']], allZones)])
  assert.deepEqual((await sendAs(logs, 'GET', `${api.zonePath}/rulesets`)).body.result, [])
  await api.send('DELETE', `/zones/${other.body.result.id}`)
})

test('creating a zone needs write permission on all zones of the account', async () => {
  const body = {
    name: 'new.example',
    account: { id: api.accountId },
    origin: { url: 'http://127.0.0.1:9000' },
  }
  const one = await tokenWith([policy([['zone', 'write']], { [`${root}.account.zone.${api.zoneId}`]: '*' })])
  const refused = await sendAs(one, 'POST', '/zones', body)
  assert.deepEqual([refused.status, refused.body.errors[0]], refusedAt)
  const inAccount = { [`${root}.account.${api.accountId}`]: allZones }
  const all = await tokenWith([policy([['zone', 'write']], inAccount)])
  assert.equal((await sendAs(all, 'POST', '/zones', body)).status, 200)
})

test('a token cannot grant, change, roll or delete permissions that it lacks', async () => {
  const maker = await tokenWith([
    policy([['userTokens', 'write']], { [`${root}.user.*`]: '*' }),
    policy([['zoneWaf', 'write']], { [`${root}.account.zone.${api.zoneId}`]: '*' }),
  ])
  const give = (groups: readonly (readonly [Area, Level])[], resources: object) =>
    sendAs(maker, 'POST', '/user/tokens', { name: 'given', policies: [policy(groups, resources)] })
  const within = await give([['zoneWaf', 'read']], { [`${root}.account.zone.${api.zoneId}`]: '*' })
  assert.equal(within.status, 200)
  for (const answer of [
    await give([['zoneWaf', 'write']], allZones),
    await give([['zoneLogs', 'read']], { [`${root}.account.zone.${api.zoneId}`]: '*' }),
  ]) {
    assert.equal(answer.status, 403)
    assert.equal(answer.body.errors[0].code, apiErrors.tokenBeyondMaker.code)
  }
  const admin = (await api.send('GET', '/user/tokens/verify')).body.result.id
  const rolled = await sendAs(maker, 'PUT', `/user/tokens/${admin}/value`, {})
  assert.equal(
    rolled.body.errors[0].message,
    apiErrors.tokenBeyondMaker.message
      .replace('{group}', superAdministrator.name)
      .replace('{resource}', `${root}.account.*`),
  )
  const wider = { name: 'given', policies: [policy([['zoneWaf', 'write']], allZones)] }
  assert.equal((await sendAs(maker, 'PUT', `/user/tokens/${within.body.result.id}`, wider)).status, 403)
  const narrowed = { name: 'admin', policies: [policy([['zoneWaf', 'read']], allZones)] }
  const own = { name: 'admin', policies: within.body.result.policies }
  for (const body of [narrowed, own])
    assert.equal((await sendAs(maker, 'PUT', `/user/tokens/${admin}`, body)).status, 403)
  assert.equal((await sendAs(maker, 'DELETE', `/user/tokens/${admin}`)).status, 403)
  assert.equal((await api.send('GET', '/user/tokens/verify')).status, 200)
  assert.equal((await sendAs(maker, 'DELETE', `/user/tokens/${within.body.result.id}`)).status, 200)
})

test('an account token reaches only its account and is known only there', async () => {
  const base = `/accounts/${api.accountId}/tokens`
  const create = (policies: readonly object[]) => api.send('POST', base, { name: 'machine', policies })
  for (const resources of [
    allZones,
    { [`${root}.account.*`]: '*' },
    { [`${root}.account.zone.${newId()}`]: '*' },
  ]) {
    const area = Object.keys(resources)[0]?.includes('zone') ? 'zone' : 'account'
    const { status, body } = await create([policy([[area, 'read']], resources)])
    assert.equal(status, 400)
    assert.equal(body.errors[0].source.pointer, '/policies/0/resources')
  }
  const made = await create([policy([['zone', 'read']], { [`${root}.account.${api.accountId}`]: allZones })])
  assert.equal(made.status, 200)
  const { id, value } = made.body.result
  assert.equal((await sendAs(value, 'GET', api.zonePath)).status, 200)
  assert.equal((await sendAs(value, 'GET', `${base}/verify`)).body.result.id, id)
  const elsewhere = await sendAs(value, 'GET', '/user/tokens/verify')
  assert.deepEqual([elsewhere.status, elsewhere.body.errors[0].code], [401, 1000])
  assert.equal((await api.send('GET', `${base}/verify`)).status, 401)
  assert.equal((await api.send('GET', `/user/tokens/${id}`)).status, 404)
  assert.deepEqual(
    (await api.send('GET', base)).body.result.map((one: { id: string }) => one.id),
    [id],
  )
  const groups = (await api.send('GET', `${base}/permission_groups`)).body.result
  assert.ok(
    groups.length > 0 && groups.every(({ scopes }: { scopes: string[] }) => !scopes.includes(`${root}.user`)),
  )
  assert.equal((await api.send('DELETE', `${base}/${id}`)).status, 200)
})

test('a token is valid between its times, from its addresses and while it is active', async () => {
  const read = [policy([['zone', 'read']], allZones)]
  const begin = nowMs + 60_000
  const end = nowMs + 120_000
  const value = await tokenWith(read, {
    not_before: new Date(begin).toISOString(),
    expires_on: new Date(end).toISOString(),
  })
  const zones = async () => {
    const { status, body } = await sendAs(value, 'GET', '/zones')
    return status === 200 ? 200 : [status, body.errors[0]]
  }
  const refused = [403, { code: 9109, message: 'Invalid access token' }]
  const start = nowMs
  nowMs = begin - 1
  assert.deepEqual(await zones(), refused)
  assert.equal((await sendAs(value, 'GET', '/user/tokens/verify')).status, 401)
  nowMs = begin
  assert.equal(await zones(), 200)
  nowMs = end - 1
  assert.equal(await zones(), 200)
  nowMs = end
  assert.deepEqual(await zones(), refused)
  const nested = await sendAs(value, 'GET', `${api.zonePath}/rulesets`)
  assert.deepEqual([nested.status, nested.body.errors[0].code], [401, 10000])
  const verified = await sendAs(value, 'GET', '/user/tokens/verify')
  assert.equal(verified.body.result.status, 'expired')
  assert.deepEqual(verified.body.messages, [])
  const { id } = verified.body.result
  const has = async (query: string) =>
    (await api.send('GET', `/user/tokens?per_page=50${query}`)).body.result.some(
      (one: { id: string }) => one.id === id,
    )
  assert.deepEqual([await has(''), await has('&include_expired=true')], [false, true])
  nowMs = start

  const local = await tokenWith(read, {
    condition: { request_ip: { in: ['192.0.2.0/24', '2001:db8::/32'], not_in: ['192.0.2.7'] } },
  })
  for (const [address, status] of [
    ['192.0.2.1', 200],
    ['::ffff:192.0.2.1', 200],
    ['2001:db8::1', 200],
    ['192.0.2.7', 403],
    ['192.0.3.1', 403],
    ['2001:db9::1', 403],
  ] as const) {
    const answer = await sendAs(local, 'GET', '/zones', undefined, address)
    assert.equal(answer.status, status, address)
    if (status === 403)
      assert.deepEqual(answer.body.errors, [
        { code: 9109, message: `Cannot use the access token from location: ${address}` },
      ])
  }
})

test('the last use is recorded once a minute', async () => {
  const value = await tokenWith([policy([['zone', 'read']], allZones)])
  const { id } = (await sendAs(value, 'GET', '/user/tokens/verify')).body.result
  const first = timestampOf(nowMs)
  const lastUse = async () => (await api.send('GET', `/user/tokens/${id}`)).body.result.last_used_on
  nowMs += 59_999
  await sendAs(value, 'GET', '/zones')
  assert.equal(await lastUse(), first)
  nowMs += 1
  await sendAs(value, 'GET', '/zones')
  assert.equal(await lastUse(), timestampOf(nowMs))
})

test('permission groups are found by name and scope, and show whether the credentials may grant them', async () => {
  const found = await api.send(
    'GET',
    `/user/tokens/permission_groups?name=${encodeURIComponent('logs write')}`,
  )
  assert.deepEqual(
    found.body.result.map(({ scopes }: { scopes: string[] }) => scopes),
    [[`${root}.account.zone`], [`${root}.account`]],
  )
  const scoped = await api.send(
    'GET',
    `/user/tokens/permission_groups?scope=${root}.user&name=${encodeURIComponent('API Tokens Read')}`,
  )
  assert.deepEqual(scoped.body.result, [
    {
      id: '0cc3a61731504c89b99ec1be78b77aa0',
      name: 'API Tokens Read',
      scopes: [`${root}.user`],
      category: 'account_and_billing',
      is_selectable: true,
    },
  ])
  const reader = await tokenWith([policy([['userTokens', 'read']], { [`${root}.user.*`]: '*' })])
  const seen = (await sendAs(reader, 'GET', '/user/tokens/permission_groups')).body.result
  const selectable = seen.filter((group: { is_selectable: boolean }) => group.is_selectable)
  assert.deepEqual(
    selectable.map(({ name }: { name: string }) => name),
    ['API Tokens Read'],
  )
})

test('the key pair has all rights of its user', async () => {
  const headers = { 'x-auth-email': email, 'x-auth-key': key }
  const { statusCode, body } = await api.app.inject({ url: '/client/v4/user/tokens', headers })
  assert.equal(statusCode, 200)
  assert.ok(JSON.parse(body).result.length > 0)
  assert.ok(!body.includes(token))
})
