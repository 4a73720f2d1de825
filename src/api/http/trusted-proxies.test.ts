import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi

before(async () => {
  api = await openTestApi({ trustedProxies: ['127.0.0.9', '198.51.100.0/24'] })
})

after(() => api.close())

test("a token's condition uses the client that a trusted proxy names, and no other header", async () => {
  const { body } = await api.send('POST', '/user/tokens', {
    name: 'office',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: await groupId('Zone Read') }],
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
      },
    ],
    condition: { request_ip: { in: ['192.0.2.0/24'] } },
  })
  const value = body.result.value
  for (const [peer, forwarded, status] of [
    ['127.0.0.9', '192.0.2.1', 200],
    ['127.0.0.9', '203.0.113.1', 403],
    ['127.0.0.9', '192.0.2.1, 198.51.100.4', 200],
    ['127.0.0.9', '192.0.2.1, 203.0.113.1', 403],
    ['127.0.0.8', '192.0.2.1', 403],
    ['192.0.2.5', undefined, 200],
  ] as const) {
    const answer = await api.app.inject({
      url: '/client/v4/zones',
      remoteAddress: peer,
      headers: {
        authorization: `Bearer ${value}`,
        ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
      },
    })
    assert.equal(answer.statusCode, status, `${peer} for ${forwarded}`)
  }
})

async function groupId(name: string): Promise<string> {
  const { body } = await api.send('GET', '/user/tokens/permission_groups')
  return body.result.find((group: { name: string }) => group.name === name).id
}
