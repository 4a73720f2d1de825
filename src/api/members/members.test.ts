import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { hashSecret } from '../../kit/secrets.ts'
import { administrator, roles } from '../access/permissions/roles.ts'
import { email, openTestApi, type TestApi, token } from '../testing/test-api.ts'

let api: TestApi
let client: Cloudflare
let account_id: string
before(async () => {
  api = await openTestApi()
  account_id = api.accountId
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  client = clientWith({ apiToken: token })
})
after(() => api.close())

const [, editor, analyst] = roles.map(({ id }) => id) as [string, string, string]

function clientWith(credentials: { apiToken: string } | { apiEmail: string; apiKey: string }): Cloudflare {
  const { port } = api.app.server.address() as { port: number }
  return new Cloudflare({
    apiToken: null,
    apiEmail: null,
    apiKey: null,
    ...credentials,
    baseURL: `http://127.0.0.1:${port}/client/v4`,
    maxRetries: 0,
  })
}

/** A member who signs in with a key. */
async function memberWithKey(name: string, role: string): Promise<{ id: string; client: Cloudflare }> {
  const { id, user } = await client.accounts.members.create({ account_id, email: name, roles: [role] })
  const apiKey = `key-of-${name.split('@')[0]}-0123456789`
  await api.store.users.update((user as { id: string }).id, { keyHash: hashSecret(apiKey) })
  return { id: id!, client: clientWith({ apiEmail: name, apiKey }) }
}

test('members are added, changed, listed and removed with the SDK', async () => {
  const made = await client.accounts.members.create({ account_id, email: 'Ann@Example.com', roles: [editor] })
  assert.deepEqual([made.email, made.status, made.roles?.[0]?.name], ['ann@example.com', 'pending', 'Editor'])
  assert.match((made as { invitation?: { secret: string } }).invitation?.secret ?? '', /^sluice_/)
  const again = client.accounts.members.create({ account_id, email: 'ann@example.com', roles: [editor] })
  await assert.rejects(again, /10372/)
  const changed = await client.accounts.members.update(made.id!, { account_id, roles: [{ id: analyst }] })
  assert.equal(changed.roles?.[0]?.name, 'Analyst')
  const got = await client.accounts.members.get(made.id!, { account_id })
  assert.equal(got.roles?.[0]?.id, analyst)
  const listed = await client.accounts.members.list({ account_id, status: 'pending' })
  assert.deepEqual(
    listed.result.map(member => member.email),
    ['ann@example.com'],
  )
  assert.deepEqual(await client.accounts.members.delete(made.id!, { account_id }), { id: made.id })
  await assert.rejects(client.accounts.members.get(made.id!, { account_id }), /10371/)
  const actions = (
    await api.store.audit.list(account_id, { offset: 0, limit: 9, resourceKind: 'member' })
  ).map(({ action, actor }) => [action, actor.email])
  assert.deepEqual(actions, [
    ['delete', email],
    ['update', email],
    ['create', email],
  ])
})

test('roles that do not exist, and a body with policies, are refused', async () => {
  const roleless = client.accounts.members.create({
    account_id,
    email: 'a@example.com',
    roles: ['f'.repeat(32)],
  })
  await assert.rejects(roleless, /\/roles\/0/)
  const withPolicies = client.accounts.members.create({ account_id, email: 'a@example.com', policies: [] })
  await assert.rejects(withPolicies, /10420|10421/)
})

test('an analyst reads and changes nothing, an editor changes all but members and tokens', async () => {
  const analysing = (await memberWithKey('analyst@example.com', analyst)).client
  const editing = (await memberWithKey('editor@example.com', editor)).client
  const zone_id = api.zoneId
  for (const reading of [analysing, editing]) {
    assert.equal((await reading.zones.get({ zone_id })).name, 'shop.example')
    assert.ok((await reading.accounts.members.list({ account_id })).result.length > 2)
    const adding = { account_id, email: 'b@example.com', roles: [analyst] }
    await assert.rejects(reading.accounts.members.create(adding), Cloudflare.PermissionDeniedError)
    await assert.rejects(reading.accounts.tokens.list({ account_id }), Cloudflare.PermissionDeniedError)
    await assert.rejects(reading.user.tokens.get('0'.repeat(32)), Cloudflare.NotFoundError)
  }
  const list = { account_id, kind: 'ip', name: 'made_by_editor' } as const
  await assert.rejects(analysing.rules.lists.create(list), Cloudflare.PermissionDeniedError)
  assert.equal((await editing.rules.lists.create(list)).name, 'made_by_editor')
  assert.deepEqual((await editing.memberships.list()).result[0]?.roles, ['Editor'])
})

test('a token of a user does what its policies and the roles of the user both allow', async () => {
  const { id, client: editing } = await memberWithKey('maker@example.com', editor)
  const made = await editing.user.tokens.create({
    name: 'wide',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: '5a1c0de00000000000000000000000a1' }],
        resources: { 'com.cloudflare.api.account.*': '*', 'com.cloudflare.api.account.zone.*': '*' },
      },
    ],
  })
  const wide = clientWith({ apiToken: made.value! })
  const list = (name: string) => ({ account_id, kind: 'ip', name }) as const
  await wide.rules.lists.create(list('first'))
  const adding = { account_id, email: 'c@example.com', roles: [analyst] }
  await assert.rejects(wide.accounts.members.create(adding), Cloudflare.PermissionDeniedError)
  await client.accounts.members.update(id, { account_id, roles: [{ id: analyst }] })
  await assert.rejects(wide.rules.lists.create(list('second')), Cloudflare.PermissionDeniedError)
  await client.accounts.members.delete(id, { account_id })
  await assert.rejects(wide.rules.lists.list({ account_id }), Cloudflare.AuthenticationError)
})

test('a second account has separate members, zones and lists', async () => {
  const account = await client.accounts.create({ name: 'Shop', type: 'standard' })
  const other = { account_id: account.id }
  const renamed = await client.accounts.update({ ...other, id: account.id, name: 'Shops', type: 'standard' })
  assert.equal(renamed.name, 'Shops')
  const zone = await client.zones.create({ account: { id: account.id }, name: 'other.example', type: 'full' })
  await client.accounts.members.create({ ...other, email: 'eve@example.com', roles: [editor] })
  const [eve] = (await client.accounts.members.list({ ...other, status: 'pending' })).result
  const apiKey = 'key-of-eve-0123456789abcdef'
  await api.store.users.update((eve!.user as { id: string }).id, { keyHash: hashSecret(apiKey) })
  const editing = clientWith({ apiEmail: 'eve@example.com', apiKey })
  const ids = (found: { result: readonly { id?: string }[] }) => found.result.map(({ id }) => id)
  assert.deepEqual(ids(await editing.accounts.list()), [account.id])
  assert.deepEqual(ids(await editing.zones.list()), [zone.id])
  assert.equal((await editing.rules.lists.create({ ...other, kind: 'ip', name: 'own' })).name, 'own')
  await assert.rejects(editing.rules.lists.list({ account_id }), Cloudflare.PermissionDeniedError)
  await assert.rejects(editing.zones.get({ zone_id: api.zoneId }), Cloudflare.PermissionDeniedError)
  const activation = editing.patch(`/accounts/${account.id}/waf/crs_releases/1`, { body: { active: true } })
  await assert.rejects(activation, Cloudflare.PermissionDeniedError, 'releases concern every account')
  await assert.rejects(editing.accounts.create({ name: 'No' }), Cloudflare.PermissionDeniedError)
  await client.accounts.members.update(eve!.id!, { ...other, roles: [{ id: administrator.id }] })
  const taking = editing.accounts.members.create({ ...other, email, roles: [analyst] })
  await assert.rejects(taking, /10373/, 'a user of an account that is not hers')
  const adding = { account_id, email: 'eve@example.com', roles: [analyst] }
  assert.equal((await client.accounts.members.create(adding)).status, 'accepted')
})

test('credentials give and take no rights beyond their own, and an administrator remains', async () => {
  const [first] = (await client.accounts.members.list({ account_id, status: 'accepted' })).result
  assert.deepEqual([first?.email, first?.roles?.[0]?.id], [email, administrator.id])
  await assert.rejects(client.accounts.members.delete(first!.id!, { account_id }), /10374/)
  const demoted = client.accounts.members.update(first!.id!, { account_id, roles: [{ id: editor }] })
  await assert.rejects(demoted, /10374/)
  const policies = [
    {
      effect: 'allow' as const,
      permission_groups: [{ id: '1af1fa2adc104452b74a9a3364202f20' }],
      resources: { [`com.cloudflare.api.account.${account_id}`]: '*' },
    },
  ]
  const { value } = await client.user.tokens.create({ name: 'members only', policies })
  const limited = clientWith({ apiToken: value! })
  const adding = { account_id, email: 'd@example.com', roles: [administrator.id] }
  await assert.rejects(limited.accounts.members.create(adding), /10373/)
  await assert.rejects(limited.accounts.members.delete(first!.id!, { account_id }), /10373/)
  const path = `/accounts/${account_id}/members/${first!.id}/invitation`
  const authorization = `Bearer ${value}`
  assert.equal((await api.send('POST', path, {}, { authorization })).body.errors[0].code, 10373)
  const invited = (await api.send('POST', path, {})).body.result
  assert.equal((await api.store.users.byInvitation(hashSecret(invited.secret)))?.email, email)
})
