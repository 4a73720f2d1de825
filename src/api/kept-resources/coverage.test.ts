import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { resourceTable } from '../../coverage/index.ts'
import { type Area, groupOf } from '../access/permissions/groups.ts'
import { openTestApi, owaspId, type TestApi } from '../testing/test-api.ts'
import { itemAreas } from './areas.ts'

let api: TestApi
before(async () => {
  api = await openTestApi({ notEnforced: 'keep' })
})
after(() => api.close())

test('a zone and an account list their items with the status, those without effect first', async () => {
  const phases = `${api.zonePath}/rulesets/phases`
  const execute = (id: string) => ({ action: 'execute', expression: 'true', action_parameters: { id } })
  const closed = execute('efb7b8c949ac4650a09736fc376e9aee')
  for (const [path, method, body] of [
    [`${phases}/http_request_firewall_managed/entrypoint`, 'PUT', { rules: [execute(owaspId), closed] }],
    [
      `${phases}/http_request_cache_settings/entrypoint`,
      'PUT',
      { rules: [{ action: 'set_cache_settings', expression: 'true' }] },
    ],
    [
      `${phases}/http_request_firewall_custom/entrypoint`,
      'PUT',
      { rules: [{ action: 'block', expression: 'http.host eq "a"' }] },
    ],
    [`${api.zonePath}/settings/polish`, 'PATCH', { value: 'lossy' }],
    [
      `${api.zonePath}/managed_headers`,
      'PATCH',
      {
        managed_request_headers: [{ id: 'add_bot_protection_headers', enabled: true }],
        managed_response_headers: [{ id: 'remove_x_powered_by_headers', enabled: true }],
      },
    ],
    [`${api.zonePath}/healthchecks`, 'POST', { name: 'shop', address: '192.0.2.1' }],
    [`/accounts/${api.accountId}/rules/lists`, 'POST', { name: 'l', kind: 'ip' }],
  ] as const) {
    const { status, body: answer } = await api.send(method, path, body)
    assert.equal(status, 200, JSON.stringify(answer))
  }
  const { result } = (await api.send('GET', `${api.zonePath}/coverage`)).body
  assert.deepEqual(result.counts, { enforced: 2, partly: 1, not_enforced: 4, unknown: 0 })
  assert.deepEqual(
    result.items.map(({ name, status, reason }: Record<string, string>) => [name, status, reason]),
    [
      ['http_request_cache_settings', 'not_enforced', 'the edge keeps no cache'],
      ['shop', 'not_enforced', result.items[1].reason],
      ['add_bot_protection_headers', 'not_enforced', 'Sluice has no bot scores for requests'],
      ['polish', 'not_enforced', 'pages and images go through as the origin made them'],
      ['http_request_firewall_managed', 'partly', result.items[4].reason],
      ['http_request_firewall_custom', 'enforced', null],
      ['remove_x_powered_by_headers', 'enforced', null],
    ],
  )
  assert.match(result.items[4].reason, /^rule 2: .*Cloudflare Managed Ruleset/)
  const account = (await api.send('GET', `/accounts/${api.accountId}/coverage`)).body.result
  assert.deepEqual(account.items, [
    { type: 'cloudflare_list', id: null, name: 'lists', count: 1, status: 'enforced', reason: null },
  ])
})

test('access rules and credential checks have the status that the data of the installation gives them', async t => {
  const blind = await openTestApi({ notEnforced: 'keep', hasGeoDatabases: false })
  t.after(() => blind.close())
  for (const [target, value] of [
    ['ip', '192.0.2.1'],
    ['ip', '192.0.2.2'],
    ['asn', 'AS64496'],
    ['country', 'T1'],
  ]) {
    const rule = { mode: 'block', configuration: { target, value } }
    const { status, body } = await blind.send('POST', `${blind.zonePath}/firewall/access_rules/rules`, rule)
    assert.equal(status, 200, JSON.stringify(body))
  }
  await blind.send('POST', `${blind.zonePath}/leaked-credential-checks`, { enabled: true })
  const { items } = (await blind.send('GET', `${blind.zonePath}/coverage`)).body.result
  assert.deepEqual(
    items.map(({ name, count, status, reason }: Record<string, string>) => [
      name,
      count,
      status,
      /no database|Tor|names no list/.exec(reason ?? '')?.[0],
    ]),
    [
      ['IP access rules', 1, 'not_enforced', 'no database'],
      ['IP access rules', 1, 'not_enforced', 'Tor'],
      ['leaked_credential_checks', 1, 'partly', 'names no list'],
      ['IP access rules', 2, 'enforced', undefined],
    ],
  )
})

/** A token that may read one area of the account or its zone. */
async function readerOf(area: Area, resource: string): Promise<{ readonly authorization: string }> {
  const permissions = [{ id: groupOf(area, 'read').id }]
  const resources = { [`com.cloudflare.api.${resource}`]: '*' }
  const policies = [{ effect: 'allow', permission_groups: permissions, resources }]
  const made = await api.send('POST', '/user/tokens', { name: area, policies })
  return { authorization: `Bearer ${made.body.result.value}` }
}

test('items of areas that the token may not read are left out', async () => {
  const zone = await readerOf('zoneSettings', `account.zone.${api.zoneId}`)
  const { result } = (await api.send('GET', `${api.zonePath}/coverage`, undefined, zone)).body
  assert.deepEqual(
    result.items.map(({ name }: { name: string }) => name),
    ['polish'],
  )
  assert.deepEqual(result.counts, { enforced: 0, partly: 0, not_enforced: 1, unknown: 0 })
  const account = await readerOf('account', `account.${api.accountId}`)
  const shown = await api.send('GET', `/accounts/${api.accountId}/coverage`, undefined, account)
  assert.deepEqual(shown.body.result.items, [])
})

test('an item needs the permission of the route that reads it', async () => {
  const { paths } = (await api.app.inject('/client/v4/openapi.json')).json() as {
    paths: Readonly<Record<string, { readonly get: { readonly 'x-api-token-group': readonly string[] } }>>
  }
  for (const scope of ['zone', 'account'] as const)
    for (const [type, area] of itemAreas[scope]) {
      const path = resourceTable.get(type)!.path!.replace(/^\/(?:zones|accounts)\/[^/]*/, '')
      const { get } = paths[`/client/v4/${scope}s/{${scope}_id}${path}`]!
      assert.ok(get['x-api-token-group'].includes(groupOf(area, 'read').name), `${scope} ${type}`)
    }
})

test('a custom page that was reset is not listed', async () => {
  const pages = `${api.zonePath}/custom_pages/500_errors`
  const reset = await api.send('PUT', pages, { state: 'default', url: '' })
  assert.equal(reset.status, 200, JSON.stringify(reset.body))
  const { items } = (await api.send('GET', `${api.zonePath}/coverage`)).body.result
  assert.ok(items.every(({ type }: { type: string }) => type !== 'cloudflare_custom_pages'))
})

test('every resource of the table with a path has its route', async () => {
  const { paths } = (await api.app.inject('/client/v4/openapi.json')).json() as { paths: object }
  const known = new Set(Object.keys(paths).map(path => path.replace('/client/v4', '')))
  for (const [type, { path }] of resourceTable)
    if (path !== undefined) assert.ok(known.has(path), `${type}: ${path}`)
})
