import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../../kit/ids.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import { openTestApi, type TestApi } from '../../testing/test-api.ts'
import { groupOf } from './groups.ts'

let api: TestApi
const secret = 'a-token-with-little-that-it-may-do-0123'

before(async () => {
  api = await openTestApi()
  const { userId } = (await api.store.tokens.list())[0]!
  await api.store.tokens.insert({
    id: newId(),
    name: 'little',
    hash: hashSecret(secret),
    userId,
    status: 'active',
    policies: [
      {
        id: newId(),
        effect: 'allow',
        permissionGroups: [{ id: groupOf('zoneWaf', 'write').id }, { id: groupOf('zone', 'read').id }],
        resources: { [`com.cloudflare.api.account.zone.${api.zoneId}`]: '*' },
      },
      {
        id: newId(),
        effect: 'allow',
        permissionGroups: [{ id: groupOf('accountLogs', 'read').id }],
        resources: { [`com.cloudflare.api.account.${api.accountId}`]: '*' },
      },
    ],
    createdOn: '2026-01-02T03:04:05Z',
    modifiedOn: '2026-01-02T03:04:05Z',
  })
})
after(() => api.close())

const asLittle = { authorization: `Bearer ${secret}` }

test('a token reads its permissions at an account and at a zone', async () => {
  const account = await api.send('GET', `/accounts/${api.accountId}/permissions`, undefined, asLittle)
  assert.deepEqual(account.body.result, { account: ['Logs Read'], zones: [], user: [] })
  const zone = await api.send('GET', `${api.zonePath}/permissions`, undefined, asLittle)
  assert.deepEqual(zone.body.result, { zone: ['Zone Read', 'Zone WAF Read', 'Zone WAF Write'] })
})

test('the administrator has every permission', async () => {
  const { result } = (await api.send('GET', `/accounts/${api.accountId}/permissions`)).body
  assert.ok(result.account.includes('Account WAF Write'))
  assert.ok(!result.account.includes('Zone WAF Write'))
  assert.ok(result.zones.includes('Zone Write'))
  assert.deepEqual(result.user, ['API Tokens Read', 'API Tokens Write'])
})

test('permissions need credentials and an existing zone', async () => {
  const unknown = await api.send('GET', `${api.zonePath}/permissions`, undefined, {
    authorization: 'Bearer no',
  })
  assert.ok([401, 403, 400].includes(unknown.status), String(unknown.status))
  assert.equal((await api.send('GET', `/zones/${newId()}/permissions`)).status, 404)
})
