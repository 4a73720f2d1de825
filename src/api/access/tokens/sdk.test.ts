import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { openTestApi, type TestApi, token } from '../../testing/test-api.ts'

/** Cloudflare's own client: tokens, their permissions, and the audit trail. */
let api: TestApi
let client: Cloudflare
let baseURL: string
let account_id: string
before(async () => {
  api = await openTestApi()
  baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  client = clientWith(token)
  account_id = api.accountId
})
after(() => api.close())

function clientWith(apiToken: string): Cloudflare {
  return new Cloudflare({
    baseURL,
    maxRetries: 0,
    apiToken,
    apiEmail: null,
    apiKey: null,
    userServiceKey: null,
  })
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

async function zonePolicy(name: string) {
  const [group] = await all(
    client.user.tokens.permissionGroups.list({ name, scope: 'com.cloudflare.api.account.zone' }),
  )
  assert.ok(group?.id !== undefined)
  return {
    effect: 'allow' as const,
    permission_groups: [{ id: group.id }],
    resources: { [`com.cloudflare.api.account.zone.${api.zoneId}`]: '*' },
  }
}

test('tokens of the user', async () => {
  const policies = [await zonePolicy('Zone Read')]
  const made = await client.user.tokens.create({ name: 'reader', policies })
  const id = made.id ?? ''
  const reader = clientWith(made.value ?? '')
  assert.equal((await reader.user.tokens.verify())?.id, id)
  assert.equal((await reader.zones.get({ zone_id: api.zoneId })).id, api.zoneId)
  await assert.rejects(
    reader.zones.edit({ zone_id: api.zoneId, paused: true }),
    Cloudflare.PermissionDeniedError,
  )
  await assert.rejects(all(reader.rulesets.list({ zone_id: api.zoneId })), Cloudflare.PermissionDeniedError)

  assert.equal((await client.user.tokens.get(id)).name, 'reader')
  assert.equal((await all(client.user.tokens.list({ per_page: 1 }))).length, 2)
  const updated = await client.user.tokens.update(id, {
    name: 'writer',
    policies: [await zonePolicy('Zone Write')],
  })
  assert.equal(updated.policies?.[0]?.permission_groups[0]?.name, 'Zone Write')
  assert.equal((await reader.zones.edit({ zone_id: api.zoneId, paused: false })).paused, false)
  const value = await client.user.tokens.value.update(id)
  await assert.rejects(reader.user.tokens.verify(), Cloudflare.AuthenticationError)
  assert.equal((await clientWith(value).user.tokens.verify())?.status, 'active')
  assert.equal((await client.user.tokens.delete(id))?.id, id)
  await assert.rejects(client.user.tokens.get(id), Cloudflare.NotFoundError)
})

test('tokens of the account', async () => {
  const made = await client.accounts.tokens.create({
    account_id,
    name: 'machine',
    policies: [await zonePolicy('Logs Write')],
  })
  const id = made.id ?? ''
  const machine = clientWith(made.value ?? '')
  assert.equal((await machine.accounts.tokens.verify({ account_id }))?.status, 'active')
  assert.deepEqual(await all(machine.logpush.jobs.list({ zone_id: api.zoneId })), [])
  assert.equal((await client.accounts.tokens.get(id, { account_id })).name, 'machine')
  assert.equal((await all(client.accounts.tokens.list({ account_id }))).length, 1)
  assert.ok((await client.accounts.tokens.permissionGroups.get({ account_id })).length > 20)
  assert.ok((await all(client.accounts.tokens.permissionGroups.list({ account_id }))).length > 20)
  const value = await client.accounts.tokens.value.update(id, { account_id })
  assert.equal((await clientWith(value).accounts.tokens.verify({ account_id }))?.id, id)
  await client.accounts.tokens.update(id, {
    account_id,
    name: 'off',
    status: 'disabled',
    policies: [await zonePolicy('Logs Write')],
  })
  assert.equal((await clientWith(value).accounts.tokens.verify({ account_id }))?.status, 'disabled')
  assert.equal((await client.accounts.tokens.delete(id, { account_id }))?.id, id)
})

test('the audit trail', async () => {
  const entries = await all(client.auditLogs.list({ account_id, direction: 'asc', per_page: 2 }))
  assert.deepEqual(
    entries.map(({ action, resource }) => `${action?.type} ${resource?.type}`),
    [
      'create token',
      'update token',
      'update zone',
      'roll token',
      'delete token',
      'create token',
      'roll token',
      'update token',
      'delete token',
    ],
  )
  const zone = await all(client.auditLogs.list({ account_id, zone: { name: 'shop.example' } }))
  assert.equal(zone.length, 1)
  const created = await all(client.auditLogs.list({ account_id, action: { type: 'create' } }))
  assert.equal(created.length, 2)
  const mine = await all(client.auditLogs.list({ account_id, actor: { email: 'admin@localhost' } }))
  assert.equal(mine.length, entries.length)
})

test('a group of another product can be named, and the answers say that it grants nothing', async () => {
  const [group, ...others] = await all(
    client.user.tokens.permissionGroups.list({
      name: 'Disable ESC Read',
      scope: 'com.cloudflare.api.account.zone',
    }),
  )
  assert.deepEqual(others, [])
  assert.equal(group?.id, 'e199d584e69344eba202452019deafe3')
  const { status, body } = await api.send('POST', '/user/tokens', {
    name: 'elsewhere',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: group.id }],
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
      },
    ],
  })
  assert.equal(status, 200)
  assert.match(body.messages[0].message, /'Disable ESC Read' grants nothing/)
  const other = clientWith(body.result.value)
  assert.deepEqual(await all(other.zones.list()), [])
  await client.user.tokens.delete(body.result.id)
})
