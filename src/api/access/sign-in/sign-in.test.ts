import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { TOTP } from 'otpauth'
import type { Clock } from '../../../kit/clock.ts'
import { email as adminEmail, openTestApi, type TestApi } from '../../testing/test-api.ts'
import { passwordLimits, sessionLimits } from '../limits.ts'
import { roles } from '../permissions/roles.ts'

let api: TestApi
let nowMs = Date.parse('2026-05-01T12:00:00Z')
const clock: Clock = { nowMs: () => nowMs }
before(async () => {
  api = await openTestApi({ clock })
})
after(() => api.close())

const hourMs = 3_600_000
const [, editor] = roles
const password = 'correct horse battery'

type Headers = Readonly<Record<string, string>>

const fromPage: Headers = { 'x-sluice-page': '1', 'sec-fetch-site': 'same-origin' }

function request(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  headers: Headers = fromPage,
): Promise<LightMyRequestResponse> {
  const options: InjectOptions = { method, url: `/client/v4${path}`, headers }
  return api.app.inject(body === undefined ? options : { ...options, payload: body })
}

function codeOf(answer: LightMyRequestResponse): readonly [number, number | undefined] {
  return [answer.statusCode, answer.json().errors[0]?.code]
}

/** Headers of a browser that has the cookie of this answer. */
function browserAfter(answer: LightMyRequestResponse): Headers {
  assert.equal(answer.statusCode, 200, answer.body)
  return { ...fromPage, cookie: String(answer.headers['set-cookie']).split(';')[0]! }
}

async function invitationFor(email: string): Promise<string> {
  const made = await api.send('POST', `/accounts/${api.accountId}/members`, { email, roles: [editor!.id] })
  return made.body.result.invitation.secret
}

async function userWithPassword(email: string): Promise<Headers> {
  return browserAfter(
    await request('POST', '/sign_in/invitation', { secret: await invitationFor(email), password }),
  )
}

test('an invitation sets a password once, and signs in', async () => {
  const secret = await invitationFor('ann@example.com')
  assert.equal((await request('POST', '/sign_in/invitation', { secret, password: 'short' })).statusCode, 400)
  const signedIn = await request('POST', '/sign_in/invitation', { secret, password })
  assert.match(
    String(signedIn.headers['set-cookie']),
    /^sluice=sluice_\w{40}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const user = (await request('GET', '/user', undefined, browserAfter(signedIn))).json().result
  assert.equal(user.email, 'ann@example.com')
  const trail = await api.store.audit.list(api.accountId, { offset: 0, limit: 2 })
  assert.deepEqual(
    trail.map(({ action, resource, actor }) => [action, resource.kind, actor.email]),
    [
      ['create', 'session', 'ann@example.com'],
      ['update', 'user_sign_in', 'ann@example.com'],
    ],
  )
  assert.deepEqual(codeOf(await request('POST', '/sign_in/invitation', { secret, password })), [401, 10386])
  const shared = await invitationFor('two@example.com')
  const both = await Promise.all(
    [1, 2].map(() => request('POST', '/sign_in/invitation', { secret: shared, password })),
  )
  assert.deepEqual(both.map(answer => answer.statusCode).sort(), [200, 401], 'accepted twice at once')
  const late = await invitationFor('late@example.com')
  nowMs += 8 * 24 * hourMs
  assert.deepEqual(
    codeOf(await request('POST', '/sign_in/invitation', { secret: late, password })),
    [401, 10386],
  )
})

test('over TLS, the cookie is secure and belongs to this host alone', async () => {
  const secret = await invitationFor('tls@example.com')
  const answer = await api.app.inject({
    method: 'POST',
    url: '/client/v4/sign_in/invitation',
    headers: { ...fromPage, 'x-forwarded-proto': 'https' },
    remoteAddress: '127.0.0.9',
    payload: { secret, password },
  })
  assert.match(String(answer.headers['set-cookie']), /^__Host-sluice=.*; HttpOnly; SameSite=Strict; Secure$/)
})

test('a wrong password and an unknown user are answered alike', async () => {
  await userWithPassword('bob@example.com')
  const wrong = await request('POST', '/sign_in', { email: 'bob@example.com', password: 'wrong password' })
  const unknown = await request('POST', '/sign_in', { email: 'stranger@example.com', password })
  const withoutPassword = await request('POST', '/sign_in', { email: adminEmail, password })
  for (const answer of [wrong, unknown, withoutPassword]) {
    assert.deepEqual(codeOf(answer), [401, 10380])
    assert.equal(answer.body, wrong.body)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
  assert.ok(!api.logLines.join('').includes('wrong password'))
  const right = await request('POST', '/sign_in', { email: 'Bob@Example.com', password })
  assert.equal(right.statusCode, 200)
})

test('a session changes things from a page of this origin only', async () => {
  const { cookie } = (await userWithPassword('carl@example.com')) as { cookie: string }
  const path = `/accounts/${api.accountId}/rules/lists`
  const attempt = (headers: Headers, name: string) =>
    request('POST', path, { kind: 'ip', name }, { cookie, host: 'sluice.test', ...headers })
  const refused: Headers[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'x-sluice-page': '1', 'sec-fetch-site': 'same-site' },
    { 'x-sluice-page': '1', 'sec-fetch-site': 'cross-site', origin: 'http://sluice.test' },
    { 'x-sluice-page': '1', origin: 'http://evil.test' },
    { 'x-sluice-page': '1', origin: 'null' },
  ]
  for (const headers of refused)
    assert.deepEqual(codeOf(await attempt(headers, 'no')), [403, 10385], JSON.stringify(headers))
  assert.equal((await attempt({ 'x-sluice-page': '1', origin: 'http://sluice.test' }, 'a')).statusCode, 200)
  assert.equal((await attempt(fromPage, 'b')).statusCode, 200)
  const [entry] = await api.store.audit.list(api.accountId, { offset: 0, limit: 1, resourceKind: 'list' })
  assert.deepEqual([entry?.actor.kind, entry?.actor.email], ['user', 'carl@example.com'])
  const foreign = { 'sec-fetch-site': 'cross-site' }
  const signIn = { email: 'carl@example.com', password }
  assert.deepEqual(codeOf(await request('POST', '/sign_in', signIn, foreign)), [403, 10385])
})

test('a session ends when it is idle, when it is old, by sign-out and by its user elsewhere', async () => {
  const email = 'dora@example.com'
  const first = await userWithPassword(email)
  const signIn = async () => browserAfter(await request('POST', '/sign_in', { email, password }))
  const status = async (browser: Headers) => (await request('GET', '/user', undefined, browser)).statusCode
  nowMs += sessionLimits.idleMs - 1
  assert.equal(await status(first), 200)
  nowMs += sessionLimits.idleMs
  assert.deepEqual(codeOf(await request('GET', '/user', undefined, first)), [401, 10384])
  const busy = await signIn()
  for (let hours = 0; hours < 7 * 24; hours += 8) {
    assert.equal(await status(busy), 200)
    nowMs += 8 * hourMs
  }
  assert.equal(await status(busy), 401)
  const [one, two, three] = [await signIn(), await signIn(), await signIn()]
  const listed = (await request('GET', '/user/sessions', undefined, one)).json().result
  assert.deepEqual(listed.map(({ current }: { current: boolean }) => current).filter(Boolean), [true])
  const out = await request('DELETE', '/user/sessions/current', undefined, two)
  assert.match(String(out.headers['set-cookie']), /^sluice=; Max-Age=0; /)
  assert.equal(await status(two), 401)
  const last = (await request('GET', '/user/sessions', undefined, three)).json().result
  const other = last.find(({ current }: { current: boolean }) => !current).id
  assert.equal((await request('DELETE', `/user/sessions/${other}`, undefined, three)).statusCode, 200)
  assert.equal(await status(one), 401)
  const changed = { current_password: password, password: 'another long sentence' }
  assert.equal((await request('PUT', '/user/password', changed, three)).statusCode, 200)
  const fourth = browserAfter(await request('POST', '/sign_in', { email, password: changed.password }))
  assert.equal((await request('DELETE', '/user/sessions/current', undefined, fourth)).statusCode, 200)
  assert.equal(await status(three), 200)
})

test('a password needs the present one; a token with fewer rights than its user sets none', async () => {
  const browser = await userWithPassword('emil@example.com')
  const body = { password: 'another long sentence' }
  assert.deepEqual(codeOf(await request('PUT', '/user/password', body, browser)), [400, 10421])
  const wrong = { ...body, current_password: 'a wrong sentence' }
  assert.deepEqual(codeOf(await request('PUT', '/user/password', wrong, browser)), [401, 10380])
  const policies = [
    {
      effect: 'allow',
      permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
    },
  ]
  const { value } = (await request('POST', '/user/tokens', { name: 'few', policies }, browser)).json().result
  const asToken = { authorization: `Bearer ${value}` }
  assert.deepEqual(codeOf(await request('PUT', '/user/password', body, asToken)), [403, 10387])
  assert.deepEqual(codeOf(await request('GET', '/user/sessions', undefined, asToken)), [403, 10387])
})

test('a token that expires sets no password', async () => {
  const { result: made } = (await api.send('GET', '/user/tokens')).body
  const { policies } = made[0]
  const expires_on = new Date(nowMs + hourMs).toISOString().replace(/\.\d+/, '')
  const { value } = (await api.send('POST', '/user/tokens', { name: 'bound', policies, expires_on })).body
    .result
  const bound = { authorization: `Bearer ${value}` }
  assert.deepEqual(codeOf(await request('PUT', '/user/password', { password }, bound)), [403, 10387])
})

test('the administrator of the first start sets a password with the token or the key', async () => {
  assert.equal((await api.send('GET', '/user/sign_in')).body.result.password, false)
  assert.equal((await api.send('PUT', '/user/password', { password })).status, 200)
  assert.equal((await request('POST', '/sign_in', { email: adminEmail, password })).statusCode, 200)
  assert.equal((await request('GET', '/sign_in')).json().result.password, true)
})

test('with two-factor authentication, a sign-in needs a new code of the app, or a recovery code', async () => {
  const email = 'fay@example.com'
  const browser = await userWithPassword(email)
  const { secret, uri } = (
    await request('POST', '/user/two_factor_authentication', { password }, browser)
  ).json().result
  assert.match(uri, /^otpauth:\/\/totp\/Sluice:fay%40example\.com\?/)
  const app = new TOTP({ secret, issuer: 'Sluice' })
  const next = (periods = 1) => {
    nowMs += periods * 30_000
    return app.generate({ timestamp: nowMs })
  }
  assert.equal((await request('POST', '/sign_in', { email, password })).statusCode, 200, 'not confirmed yet')
  const wrong = String((Number(next()) + 1) % 1_000_000).padStart(6, '0')
  const refused = await request('PUT', '/user/two_factor_authentication', { code: wrong }, browser)
  assert.deepEqual(codeOf(refused), [401, 10382])
  const confirmed = await request('PUT', '/user/two_factor_authentication', { code: next() }, browser)
  const codes: string[] = confirmed.json().result.recovery_codes
  assert.equal(codes.length, 10)

  const signIn = (code?: string) => request('POST', '/sign_in', { email, password, ...(code && { code }) })
  assert.deepEqual(codeOf(await signIn()), [401, 10381])
  const badPassword = await request('POST', '/sign_in', { email, password: 'wrong sentence', code: next() })
  assert.deepEqual(codeOf(badPassword), [401, 10380])
  const code = next()
  assert.equal((await signIn(code)).statusCode, 200)
  assert.deepEqual(codeOf(await signIn(code)), [401, 10382], 'a code that was used')
  assert.equal((await signIn(codes[0]!.toLowerCase().replaceAll('-', ' '))).statusCode, 200)
  assert.deepEqual(codeOf(await signIn(codes[0])), [401, 10382], 'a recovery code that was used')

  for (let tries = 1; tries < passwordLimits.wrongCodesMax; tries++)
    assert.deepEqual(codeOf(await signIn('ABCD-EFGH-JKLM-NPQR')), [401, 10382])
  assert.deepEqual(codeOf(await signIn(next())), [429, 10383])
  nowMs += passwordLimits.wrongCodesMs
  assert.equal((await signIn(next())).statusCode, 200)

  const ended = await request('DELETE', '/user/two_factor_authentication', { password }, browser)
  assert.deepEqual(ended.json().result.two_factor_authentication, false)
  assert.equal((await signIn()).statusCode, 200)
})

test('guesses at one user from many addresses keep the user neither out nor signed out', async () => {
  const email = 'gus@example.com'
  const browser = await userWithPassword(email)
  const attempt = (at: number, tried: string) =>
    api.app.inject({
      method: 'POST',
      url: '/client/v4/sign_in',
      headers: fromPage,
      remoteAddress: `192.0.2.${at}`,
      payload: { email, password: tried },
    })
  const guess = (at: number) => attempt(at, `guess number ${at}`)
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => guess(at)))
  assert.deepEqual(new Set(answers.map(answer => answer.statusCode)), new Set([401]))
  const more = Array.from({ length: 12 }, (_, at) => guess(100 + at))
  assert.equal((await attempt(200, password)).statusCode, 200)
  for (const { statusCode } of await Promise.all(more)) assert.equal(statusCode, 401)
  assert.equal((await request('GET', '/user', undefined, browser)).statusCode, 200)
})
