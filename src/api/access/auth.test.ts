import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { email, key, openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { signInLimits } from './limits.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const noCredentials = [9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers']
const otherToken = `${token.slice(0, -1)}x`
const otherKey = `${key.slice(0, -1)}f`

test('requests without valid credentials are refused', async t => {
  const rows: [
    name: string,
    path: string,
    headers: Record<string, string>,
    status: number,
    ...error: unknown[],
  ][] = [
    ['nothing', '/zones', {}, 400, ...noCredentials],
    ['e-mail alone', '/zones', { 'x-auth-email': email }, 400, ...noCredentials],
    ['key alone', '/zones', { 'x-auth-key': key }, 400, ...noCredentials],
    [
      'unknown token on zones',
      '/zones',
      { authorization: `Bearer ${otherToken}` },
      403,
      9109,
      'Invalid access token',
    ],
    [
      'unknown token on accounts',
      '/accounts',
      { authorization: `Bearer ${otherToken}` },
      403,
      9109,
      'Invalid access token',
    ],
    [
      'unknown token below a zone',
      '/zones/{zone}/rulesets',
      { authorization: `Bearer ${otherToken}` },
      401,
      10000,
      'Authentication error',
    ],
    [
      'unknown token, verified',
      '/user/tokens/verify',
      { authorization: `Bearer ${otherToken}` },
      401,
      1000,
      'Invalid API Token',
    ],
    [
      'key pair, verified',
      '/user/tokens/verify',
      { 'x-auth-email': email, 'x-auth-key': key },
      401,
      1000,
      'Invalid API Token',
    ],
    [
      'wrong key',
      '/zones',
      { 'x-auth-email': email, 'x-auth-key': otherKey },
      403,
      9103,
      'Unknown X-Auth-Key or X-Auth-Email',
    ],
    [
      'unknown e-mail',
      '/zones',
      { 'x-auth-email': 'you@localhost', 'x-auth-key': key },
      403,
      9103,
      'Unknown X-Auth-Key or X-Auth-Email',
    ],
    [
      'the token counts alone',
      '/zones',
      { authorization: `Bearer ${otherToken}`, 'x-auth-email': email, 'x-auth-key': key },
      403,
      9109,
      'Invalid access token',
    ],
    ['service key', '/zones', { 'x-auth-user-service-key': 'v1.0-abc' }, 400, ...noCredentials],
  ]
  for (const [name, path, headers, status, code, message] of rows) {
    await t.test(name, async () => {
      const answer = await api.app.inject({ url: `/client/v4${path.replace('{zone}', api.zoneId)}`, headers })
      assert.equal(answer.statusCode, status)
      assert.deepEqual(answer.json(), {
        result: null,
        success: false,
        errors: [{ code, message }],
        messages: [],
      })
    })
  }
})

test('the error for unreadable headers names the header', async t => {
  const rows: [headers: Record<string, string>, code: number][] = [
    [{ authorization: 'Basic dXNlcjpwYXNz' }, 6111],
    [{ authorization: 'Bearer' }, 6111],
    [{ authorization: 'Bearer a b' }, 6111],
    [{ authorization: `Bearer ${token}ö` }, 6111],
    [{ 'x-auth-email': email, 'x-auth-key': 'no spaces' }, 6103],
    [{ 'x-auth-email': email, 'x-auth-key': '' }, 6103],
    [{ 'x-auth-email': 'no-address', 'x-auth-key': key }, 6102],
  ]
  for (const [headers, code] of rows) {
    await t.test(JSON.stringify(headers), async () => {
      const answer = await api.app.inject({ url: '/client/v4/zones', headers })
      assert.equal(answer.statusCode, 400)
      const [error] = answer.json().errors
      assert.equal(error.code, 6003)
      assert.equal(error.message, 'Invalid request headers')
      assert.equal(error.error_chain[0].code, code)
    })
  }
})

test('a token and a key pair authenticate', async () => {
  for (const headers of [
    { authorization: `Bearer ${token}` },
    { authorization: `bearer  ${token}` },
    { 'x-auth-email': email, 'x-auth-key': key },
    { 'x-auth-email': 'Admin@LocalHost', 'x-auth-key': key },
    { authorization: `Bearer ${token}`, 'x-auth-email': email, 'x-auth-key': 'ignored' },
  ]) {
    const answer = await api.app.inject({ url: '/client/v4/zones', headers })
    assert.equal(answer.statusCode, 200)
  }
})

test('a valid token verifies', async () => {
  const { status, body } = await api.send('GET', '/user/tokens/verify')
  assert.equal(status, 200)
  assert.match(body.result.id, /^[0-9a-f]{32}$/)
  assert.equal(body.result.status, 'active')
  assert.deepEqual(body.messages, [
    { code: 10000, message: 'This API Token is valid and active', type: null },
  ])
})

test('the log has neither secret', async () => {
  await api.send('POST', '/zones', {})
  const log = api.logLines.join('')
  assert.ok(log.length > 0)
  assert.ok(!log.includes(token))
  assert.ok(!log.includes(key))
})

test('failed sign-ins are slowed by address, counted and logged; valid credentials are not', async () => {
  const failures: string[] = []
  const other = await openTestApi({ signInFailed: failure => failures.push(failure) })
  const attempt = async (value: string, remoteAddress = '2001:db8::1') => {
    const headers = { authorization: `Bearer ${value}` }
    return (await other.app.inject({ url: '/client/v4/zones', headers, remoteAddress })).statusCode
  }
  try {
    assert.equal(await attempt(token), 200)
    const wrong = Array.from({ length: 200 }, (_, n) => `guess${n}`)
    for (const value of wrong.splice(0, signInLimits.failuresFree)) assert.equal(await attempt(value), 403)
    const waiting = wrong.map((value, n) => attempt(value, `2001:db8::${n + 2}`))
    assert.equal(await attempt(token), 200, 'valid credentials still pass')
    assert.equal(await attempt('elsewhere', '2001:db8:0:1::1'), 403, 'another network')
    const statuses = await Promise.all(waiting)
    const looked = statuses.filter(status => status === 403).length
    assert.equal(looked, signInLimits.suspectAttemptsMax)
    assert.equal(statuses.filter(status => status === 429).length, statuses.length - looked)
    assert.equal(failures.length, signInLimits.failuresFree + looked + 1)
    assert.deepEqual(new Set(failures), new Set(['unknown_token']))
    const lines = other.logLines.filter(line => line.includes('a sign-in failed'))
    assert.ok(lines.length > 0 && lines.length <= failures.length)
    assert.ok(!lines.some(line => line.includes('guess')), 'the log has the guessed secrets')
    assert.equal(JSON.parse(lines[0]!).address, '2001:db8::1')
  } finally {
    await other.close()
  }
})
