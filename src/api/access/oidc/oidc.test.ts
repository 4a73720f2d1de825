import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../../kit/ids.ts'
import { freePort } from '../../../kit/testing/free-port.ts'
import { newMember } from '../../members/new-member.ts'
import { email, openTestApi, type TestApi } from '../../testing/test-api.ts'
import { roles } from '../permissions/roles.ts'
import { clientId, clientSecret, openTestProvider, type TestProvider } from './testing/provider.ts'

let api: TestApi
let provider: TestProvider
let base: string
before(async () => {
  base = `http://127.0.0.1:${await freePort()}`
  provider = await openTestProvider(() => `${base}/client/v4/sign_in/oidc/callback`)
  api = await openTestApi({
    oidc: {
      issuer: provider.issuer,
      clientId,
      clientSecret,
      roleClaim: 'groups',
      roles: [
        { value: 'security', role: 'administrator' },
        { value: 'web', role: 'editor' },
      ],
    },
  })
  await api.app.listen({ port: Number(new URL(base).port), host: '127.0.0.1' })
})
after(async () => {
  await api.close()
  provider.close()
})

/** A browser with the cookies of both sites; it follows redirects to the first address that `isEnd` accepts. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()

  async visit(from: string, isEnd: (url: URL) => boolean): Promise<URL> {
    for (let url = new URL(from), hops = 0; hops < 12; hops++) {
      const response = await this.get(url)
      const location = response.headers.get('location')
      assert.ok(location !== null, `${url.pathname} answered ${response.status}: ${await response.text()}`)
      url = new URL(location, url)
      if (isEnd(url)) return url
    }
    throw new Error('too many redirects')
  }

  async get(url: URL): Promise<Response> {
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>()
    this.#cookies.set(url.host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(new URL(base).host)?.get(name)
  }

  async ownUser(): Promise<{ readonly email: string } | null> {
    const response = await this.get(new URL(`${base}/client/v4/user`))
    return ((await response.json()) as { result: { email: string } | null }).result
  }
}

const isDashboard = ({ origin, pathname }: URL) => origin === base && !pathname.startsWith('/client/')

async function signIn(login: string, claims: Readonly<Record<string, unknown>>, browser = new Browser()) {
  provider.login = login
  provider.claims.set(login, claims)
  const end = await browser.visit(`${base}/client/v4/sign_in/oidc?to=/zones/x/events`, isDashboard)
  return { browser, end: end.pathname + end.search }
}

async function rolesOf(email: string): Promise<string[]> {
  const members = await api.store.members.list(api.accountId)
  const ids = members.find(({ user }) => user.email === email)?.roles ?? []
  return ids.map(id => roles.find(role => role.id === id)!.word)
}

test('a user with a mapped group is made at the first sign-in, and the provider decides about the roles', async () => {
  const ann = { email: 'Ann@example.com', email_verified: true, groups: ['web', 'other'] }
  const { browser, end } = await signIn('ann', ann)
  assert.equal(end, '/zones/x/events')
  assert.equal((await browser.ownUser())?.email, 'ann@example.com')
  assert.equal(browser.cookie('sluice-oidc'), undefined)
  assert.deepEqual(await rolesOf('ann@example.com'), ['editor'])
  await signIn('ann', { ...ann, email: 'new@example.com', groups: ['security'] })
  assert.deepEqual(await rolesOf('ann@example.com'), ['administrator'])
  const refused = await signIn('ann', { ...ann, groups: [] })
  assert.equal(refused.end, '/sign-in?failed=no-role')
  assert.equal(await browser.ownUser(), null, 'the sessions from before have ended')
  assert.equal(await api.store.users.byEmail('ann@example.com'), undefined)
  const unverified = await signIn('eve', { ...ann, email: 'eve@example.com', email_verified: false })
  assert.equal(unverified.end, '/sign-in?failed=email-not-verified')
  assert.equal(await api.store.users.byEmail('eve@example.com'), undefined)
})

test('an identity takes over a member by a verified e-mail only', async () => {
  const body = { email: 'bob@example.com', roles: [roles[2]!.id] }
  await api.send('POST', `/accounts/${api.accountId}/members`, body)
  const unverified = await signIn('mallory', { email: 'bob@example.com', groups: ['web'] })
  assert.equal(unverified.end, '/sign-in?failed=email-not-verified')
  assert.equal(await unverified.browser.ownUser(), null)
  const bob = { email: 'bob@example.com', email_verified: true, groups: ['web'] }
  assert.equal((await signIn('bob', bob)).end, '/zones/x/events')
  const other = await signIn('other', bob)
  assert.equal(other.end, '/sign-in?failed=email-not-verified', 'the user belongs to another identity')
  const password = { password: 'a password of my own' }
  const { browser } = await signIn('bob', bob)
  const refused = await api.app.inject({
    method: 'PUT',
    url: '/client/v4/user/password',
    headers: { cookie: `sluice=${browser.cookie('sluice')}`, 'x-sluice-page': '1' },
    payload: password,
  })
  assert.equal(refused.json().errors[0].code, 10388)
})

test('an administrator of another account gains nothing by inviting an e-mail address of the first one', async () => {
  const other = { id: newId(), name: 'other', createdOn: '2999-01-02T03:04:05.000000Z' }
  await api.store.accounts.insert(other)
  const user = { id: newId(), email: 'ceo@example.com', keyHash: 'aa', passwordHash: '$argon2id$' }
  await api.store.users.insert(user, newMember(other.id, user.id, [roles[0]!.id], 0))
  const claims = { email: 'ceo@example.com', email_verified: true, groups: ['security'] }
  assert.equal((await signIn('ceo', claims)).end, '/zones/x/events')
  assert.deepEqual(await rolesOf('ceo@example.com'), ['administrator'])
  const trail = await api.send('GET', `/accounts/${api.accountId}/audit_logs?resource.type=user_sign_in`)
  const { actor, newValueJson } = trail.body.result[0]
  assert.deepEqual(
    [actor.email, newValueJson],
    ['ceo@example.com', { identity_provider: true, ends_other_credentials: true }],
  )
  const { keyHash, passwordHash } = (await api.store.users.get(user.id))!
  assert.deepEqual([keyHash, passwordHash], [undefined, undefined])
  const { browser, end } = await signIn('ceo', { ...claims, groups: [] })
  assert.equal(end, '/zones/x/events', 'the other account remains')
  assert.equal((await browser.ownUser())?.email, 'ceo@example.com')
  assert.deepEqual(await rolesOf('ceo@example.com'), [])
})

test('the last administrator of the first account keeps the role and the key', async () => {
  const claims = { email, email_verified: true, groups: ['web'] }
  const key = (await api.store.users.byEmail(email))!.keyHash
  for (const groups of [['web'], []]) {
    assert.equal((await signIn('admin', { ...claims, groups })).end, '/zones/x/events')
    assert.deepEqual(await rolesOf(email), ['administrator'])
  }
  assert.equal((await api.store.users.byEmail(email))!.keyHash, key)
})

test('a sign-in of another browser and a forged state begin no session', async () => {
  provider.login = 'ann'
  provider.claims.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['web'] })
  const isCallback = ({ pathname }: URL) => pathname.endsWith('/callback')
  const begun = new Browser()
  const callback = await begun.visit(`${base}/client/v4/sign_in/oidc`, isCallback)
  const stranger = new Browser()
  assert.equal((await stranger.visit(callback.href, isDashboard)).search, '?failed=expired')
  const forged = new URL(callback)
  forged.searchParams.set('state', 'x')
  assert.equal((await begun.visit(forged.href, isDashboard)).search, '?failed=provider')
  assert.equal(await begun.ownUser(), null)
  const outside = await new Browser().visit(`${base}/client/v4/sign_in/oidc?to=//evil.test/`, isDashboard)
  assert.equal(outside.pathname, '/')
})
