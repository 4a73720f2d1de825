import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Cloudflare from 'cloudflare'
import { miniCrs } from '../support/mini-crs.ts'
import { discard, type Instance, startSluice } from '../support/sluice.ts'

/** Cloudflare's own client, with its own settings, against a running instance: scripts need another base URL only. */
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
const custom = 'http_request_firewall_custom'
const managed = 'http_request_firewall_managed'
const unknownId = '0'.repeat(32)

let sluice: Instance
let client: Cloudflare
let account_id: string
let zone_id: string
/** Method and path of every request that a client made, its repetitions included. */
let requests: string[] = []

before(async () => {
  sluice = await startSluice({ settings: { SLUICE_CRS: await miniCrs(), SLUICE_ROLES: 'control' } })
  client = clientWith(sluice.token)
  account_id = (await all(client.accounts.list()))[0]!.id
  const origin = { origin: { url: 'http://127.0.0.1:9' } }
  zone_id = (await client.zones.create({ account: { id: account_id }, name: 'sdk.test', ...origin })).id
})

after(async () => {
  await discard(sluice)
})

/** As people make it, with its two retries; without what the environment may hold for it. */
function clientWith(apiToken: string): Cloudflare {
  const counted: typeof fetch = (input, init) => {
    const url = new URL(String(input))
    requests.push(`${init?.method ?? 'GET'} ${url.pathname.replace('/client/v4', '')}${url.search}`)
    return fetch(input, init)
  }
  const none = { apiEmail: null, apiKey: null, userServiceKey: null }
  return new Cloudflare({ baseURL: sluice.apiUrl, apiToken, fetch: counted, ...none })
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

type Ruleset = Awaited<ReturnType<Cloudflare['rulesets']['get']>>

/** The client's types leave the answer of a write open. */
async function written(answer: Promise<unknown>): Promise<Ruleset> {
  return (await answer) as Ruleset
}

const block = (path: string) =>
  ({ action: 'block', expression: `http.request.uri.path eq "${path}"`, ref: path }) as const
const refs = (ruleset: Ruleset): unknown[] => ruleset.rules.map(({ ref }) => ref)

type ErrorClass = abstract new (...parameters: never[]) => { readonly status: number | undefined }

/** The refusal of one call: its class, its first code and message, and that it was asked once. */
async function refuses(
  call: () => PromiseLike<unknown>,
  kind: ErrorClass,
  code: number | undefined,
  message: RegExp,
): Promise<void> {
  requests = []
  await assert.rejects(
    async () => await call(),
    (error: unknown) => {
      assert.ok(error instanceof Cloudflare.APIError, String(error))
      assert.ok(error instanceof kind, `${error.name} ${error.status}`)
      const [first] = error.errors
      assert.equal(first?.code, code, error.message)
      assert.match(first?.message ?? '', message)
      assert.ok(error.message.startsWith(`${error.status} {`), error.message)
      return true
    },
  )
  assert.equal(requests.length, 1, `asked again: ${requests.join(', ')}`)
}

for (const level of ['zone', 'account'] as const) {
  const scope = () => (level === 'zone' ? { zone_id } : { account_id })

  test(`every operation on a ruleset of the ${level}`, async () => {
    const at = scope()
    const given = { kind: 'custom', name: 'sdk', description: 'ours', phase: custom } as const
    const made = await written(client.rulesets.create({ ...at, ...given, rules: [block('/a')] }))
    const ruleset_id = made.id
    assert.match(ruleset_id, /^[0-9a-f]{32}$/)
    const { name, kind, description, phase, version } = made
    assert.deepEqual({ name, kind, description, phase, version }, { ...given, version: '1' })
    assert.deepEqual(await client.rulesets.get(ruleset_id, at), made)

    const renamed = await written(client.rulesets.update(ruleset_id, { ...at, description: 'new' }))
    assert.deepEqual([renamed.description, renamed.version], ['new', '2'])
    assert.deepEqual(renamed.rules, made.rules)
    const rules = [block('/b'), block('/a')]
    const replaced = await written(client.rulesets.update(ruleset_id, { ...at, ...given, rules }))
    assert.deepEqual([replaced.description, refs(replaced)], ['ours', ['/b', '/a']])
    assert.deepEqual(replaced.rules[1], made.rules[0])

    const listed = (await all(client.rulesets.list(at))).find(({ id }) => id === ruleset_id)
    const { rules: _, ...shown } = replaced
    assert.deepEqual(listed, shown)
    assert.equal(await client.rulesets.delete(ruleset_id, at), null)
    await refuses(() => client.rulesets.get(ruleset_id, at), Cloudflare.NotFoundError, 10001, /ruleset/)
  })

  test(`rules of the ${level}, made and moved to every position`, async () => {
    const at = scope()
    const make = { ...at, kind: 'custom', name: 'positions', phase: custom } as const
    const { id: ruleset_id } = await written(client.rulesets.create(make))
    const add = async (path: string, position?: object): Promise<Ruleset> => {
      const rule = { ...block(path), ...(position === undefined ? {} : { position }) }
      return await written(client.rulesets.rules.create(ruleset_id, { ...at, ...rule }))
    }
    const [b] = (await add('/b')).rules
    await add('/e', { after: '' })
    await add('/a', { before: '' })
    await add('/c', { after: b!.id })
    const five = await add('/d', { index: 4 })
    assert.deepEqual(refs(five), ['/a', '/b', '/c', '/d', '/e'])
    assert.equal(five.version, '6')
    const idOf = (ref: string) => five.rules.find(rule => rule.ref === ref)!.id!

    const move = async (ref: string, position: object): Promise<string> => {
      const to = { ...at, ruleset_id, ...block(ref), position }
      const moved = await written(client.rulesets.rules.edit(idOf(ref), to))
      assert.ok(moved.rules.every(rule => rule.version === '1'))
      return refs(moved).join('')
    }
    assert.equal(await move('/a', { index: 3 }), '/b/c/a/d/e')
    assert.equal(await move('/e', { before: idOf('/c') }), '/b/e/c/a/d')
    assert.equal(await move('/b', { after: idOf('/c') }), '/e/c/b/a/d')
    assert.equal(await move('/d', { before: '' }), '/d/e/c/b/a')
    assert.equal(await move('/e', { after: '' }), '/d/c/b/a/e')

    const log = { action: 'log', expression: 'true' } as const
    const edited = await written(
      client.rulesets.rules.edit(idOf('/d'), { ...at, ruleset_id, ...log, position: { index: 2 } }),
    )
    const [c, d] = edited.rules
    assert.deepEqual([c?.ref, d?.ref, d?.action, d?.version], ['/c', '/d', 'log', '2'])
    const left = await written(client.rulesets.rules.delete(idOf('/d'), { ...at, ruleset_id }))
    assert.deepEqual(refs(left), ['/c', '/b', '/a', '/e'])
    await client.rulesets.delete(ruleset_id, at)
  })

  test(`the entry point of the ${level} and its versions`, async () => {
    const at = scope()
    const { phases, versions } = client.rulesets
    const rules = [
      { action: 'execute', expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: owasp } },
    ] as const
    await refuses(
      () => phases.get(managed, at),
      Cloudflare.NotFoundError,
      10003,
      /^could not find entrypoint/,
    )
    assert.deepEqual(await all(phases.versions.list(managed, at)), [])
    const one = await written(phases.update(managed, { ...at, rules: [...rules] }))
    const two = await written(phases.update(managed, { ...at, rules: [], description: 'empty' }))
    assert.deepEqual(
      [one.version, two.version, two.id, two.kind],
      ['1', '2', one.id, level === 'zone' ? 'zone' : 'root'],
    )
    assert.deepEqual(await phases.get(managed, at), two)

    const numbers = (list: readonly { version: string }[]) => list.map(({ version }) => version)
    assert.deepEqual(numbers(await all(phases.versions.list(managed, at))), ['1', '2'])
    assert.deepEqual(numbers(await all(versions.list(one.id, at))), ['1', '2'])
    assert.deepEqual(await phases.versions.get('1', { ...at, ruleset_phase: managed }), one)
    assert.deepEqual(await versions.get('1', { ...at, ruleset_id: one.id }), one)
    assert.equal(await versions.delete('1', { ...at, ruleset_id: one.id }), null)
    const gone = () => versions.get('1', { ...at, ruleset_id: one.id })
    await refuses(gone, Cloudflare.NotFoundError, 20290, /could not find version 1/)
    const newest = () => versions.delete('2', { ...at, ruleset_id: one.id })
    await refuses(newest, Cloudflare.BadRequestError, 20291, /newest/)
    await client.rulesets.delete(one.id, at)
    await refuses(() => phases.get(managed, at), Cloudflare.NotFoundError, 10003, /entrypoint/)
  })

  test(`a list of the ${level} that is longer than a page`, async () => {
    const at = scope()
    const made: string[] = []
    for (let number = 0; number < 55; number++) {
      const body = { ...at, kind: 'custom', name: `r${number}`, phase: custom } as const
      made.push((await written(client.rulesets.create(body))).id)
    }
    requests = []
    const listed = (await all(client.rulesets.list(at))).map(({ id }) => id)
    assert.equal(requests.length, 2, requests.join('\n'))
    assert.equal(new Set(listed).size, listed.length)
    assert.ok(made.every(id => listed.includes(id)))
    requests = []
    const byTen = (await all(client.rulesets.list({ ...at, per_page: 10 }))).map(({ id }) => id)
    assert.deepEqual(byTen, listed)
    assert.equal(requests.length, Math.ceil(listed.length / 10))
    for (const id of made) await client.rulesets.delete(id, at)
  })
}

test('dry runs check and change nothing', async () => {
  const { rulesets } = client
  const current = await written(rulesets.phases.update(custom, { zone_id, rules: [block('/a')] }))
  const ruleset_id = current.id
  const rule = current.rules[0]!.id!
  const dry = { query: { dry_run: true } }
  const answers = [
    await rulesets.create({ zone_id, kind: 'zone', name: 'x', phase: managed }, dry),
    await rulesets.update(ruleset_id, { zone_id, rules: [] }, dry),
    await rulesets.phases.update(custom, { zone_id, rules: [] }, dry),
    await rulesets.rules.create(ruleset_id, { zone_id, ...block('/b') }, dry),
    await rulesets.rules.edit(rule, { zone_id, ruleset_id, ...block('/c') }, dry),
    await rulesets.rules.delete(rule, { zone_id, ruleset_id }, dry),
    await rulesets.delete(ruleset_id, { zone_id }, dry),
    await rulesets.update(ruleset_id, { zone_id, rules: [], dry_run: true }),
  ]
  assert.deepEqual(new Set(answers), new Set([null]))
  assert.deepEqual(await rulesets.get(ruleset_id, { zone_id }), current)
  const second = () => rulesets.create({ zone_id, kind: 'zone', name: 'x', phase: custom }, dry)
  await refuses(second, Cloudflare.BadRequestError, 20217, /exceeded maximum number of zone rulesets/)
  await rulesets.delete(ruleset_id, { zone_id })
})

test('refusals are typed, tell why, and are not asked again', async () => {
  const { BadRequestError, NotFoundError, PermissionDeniedError, AuthenticationError } = Cloudflare
  const { rulesets } = client
  const put = (rule: object) => () => rulesets.phases.update(custom, { zone_id, rules: [rule as never] })
  await refuses(put({ action: 'block', expression: '' }), BadRequestError, 20125, /cannot be blank$/)
  await refuses(
    put({ ...block('/a'), action: 'explode' }),
    BadRequestError,
    20204,
    /^unknown variant for action/,
  )
  await refuses(
    put({ ...block('/a'), colour: 1 }),
    BadRequestError,
    20201,
    /^invalid JSON: unknown field "colour"$/,
  )
  await refuses(
    put({ action: 'block', expression: 'a eq' }),
    BadRequestError,
    20205,
    /Filter parsing error \(1:1\):\na eq\n\^/,
  )
  await refuses(
    () => rulesets.get(unknownId, { zone_id }),
    NotFoundError,
    10001,
    /could not find ruleset 0{32}/,
  )
  await refuses(
    () => rulesets.get(owasp, { zone_id: unknownId }),
    NotFoundError,
    7003,
    /^Could not route to \/zones\/0{32}/,
  )
  await refuses(
    () => rulesets.delete(owasp, { account_id }),
    BadRequestError,
    20213,
    /^managed rulesets cannot be changed/,
  )

  const stranger = clientWith('s'.repeat(40))
  await refuses(
    () => stranger.rulesets.get(owasp, { zone_id }),
    AuthenticationError,
    10000,
    /^Authentication error$/,
  )
  await refuses(() => stranger.zones.get({ zone_id }), PermissionDeniedError, 9109, /^Invalid access token$/)
  await refuses(() => stranger.user.tokens.verify(), AuthenticationError, 1000, /^Invalid API Token$/)
})

test('zones', async () => {
  const origin = { origin: { url: 'http://127.0.0.1:9' } }
  const made = await client.zones.create({
    account: { id: account_id },
    name: 'other.test',
    type: 'full',
    ...origin,
  })
  assert.deepEqual([made.name, made.status, made.account.id], ['other.test', 'active', account_id])
  assert.deepEqual(await client.zones.get({ zone_id: made.id }), made)
  assert.equal((await client.zones.edit({ zone_id: made.id, paused: true })).paused, true)
  const named = async (query: object) => (await all(client.zones.list(query))).map(({ name }) => name)
  assert.deepEqual(await named({ per_page: 5, order: 'name' }), ['localhost', 'other.test', 'sdk.test'])
  assert.deepEqual(await named({ name: 'other.test', account: { id: account_id } }), ['other.test'])
  assert.deepEqual(await named({ name: 'contains:sdk' }), ['sdk.test'])
  assert.equal((await client.zones.delete({ zone_id: made.id }))?.id, made.id)
  await refuses(
    () => client.zones.get({ zone_id: made.id }),
    Cloudflare.NotFoundError,
    7003,
    /Could not route/,
  )
})

test('lists, their items and what became of changes', async () => {
  const { lists } = client.rules
  const list = await lists.create({ account_id, kind: 'ip', name: 'office', description: 'ours' })
  const done = async (asked: PromiseLike<{ operation_id: string }>): Promise<void> => {
    const { operation_id } = await asked
    for (;;) {
      const { status } = await lists.bulkOperations.get(operation_id, { account_id })
      if (status !== 'pending' && status !== 'running') return assert.equal(status, 'completed')
      await sleep(10)
    }
  }
  const addresses = Array.from({ length: 120 }, (_, n) => `192.0.2.${n + 1}`)
  await done(lists.items.create(list.id, { account_id, body: addresses.map(ip => ({ ip })) }))
  requests = []
  const items = await all(lists.items.list(list.id, { account_id, per_page: 50 }))
  assert.deepEqual(new Set(items.map(item => ('ip' in item ? item.ip : ''))), new Set(addresses))
  assert.equal(requests.length, 3)
  assert.deepEqual(await lists.items.get(items[0]!.id, { account_id, list_id: list.id }), items[0])
  await done(lists.items.delete(list.id, { account_id, items: [{ id: items[0]!.id }] }))
  assert.equal((await lists.get(list.id, { account_id })).num_items, 119)
  await done(lists.items.update(list.id, { account_id, body: [{ ip: '2001:db8::/48', comment: 'home' }] }))
  assert.equal((await all(lists.items.list(list.id, { account_id }))).length, 1)
  assert.equal((await lists.update(list.id, { account_id, description: 'new' })).description, 'new')
  assert.deepEqual(
    (await all(lists.list({ account_id }))).map(({ name }) => name),
    ['office'],
  )

  const bad = () => lists.items.create(list.id, { account_id, body: [{ ip: '300.0.0.1' }] })
  await refuses(bad, Cloudflare.BadRequestError, 10028, /300\.0\.0\.1|position/)
  const rules = [{ action: 'block', expression: 'ip.src in $office' }] as const
  const { id } = await written(client.rulesets.phases.update(custom, { zone_id, rules: [...rules] }))
  await refuses(() => lists.delete(list.id, { account_id }), Cloudflare.BadRequestError, 10031, /in use/)
  await client.rulesets.delete(id, { zone_id })
  assert.equal((await lists.delete(list.id, { account_id })).id, list.id)
  await refuses(
    () => lists.get(list.id, { account_id }),
    Cloudflare.NotFoundError,
    10310,
    /could not find list/,
  )
})

/** One permission group on the zone, found as a script finds it. */
async function policyOf(name: string) {
  const scope = 'com.cloudflare.api.account.zone'
  const [group] = await all(client.user.tokens.permissionGroups.list({ name, scope }))
  return {
    effect: 'allow' as const,
    permission_groups: [{ id: group!.id! }],
    resources: { [`${scope}.${zone_id}`]: '*' },
  }
}

test('tokens of the user, and what they permit', async () => {
  const { tokens } = client.user
  const { AuthenticationError, PermissionDeniedError, NotFoundError } = Cloudflare
  const made = await tokens.create({ name: 'logs', policies: [await policyOf('Logs Write')] })
  const id = made.id!
  const machine = clientWith(made.value!)
  const verified = await machine.user.tokens.verify()
  assert.deepEqual([verified?.id, verified?.status], [id, 'active'])

  const phase = 'http_log_custom_fields'
  const { id: fields } = await written(machine.rulesets.phases.update(phase, { zone_id, rules: [] }))
  const other = () => machine.rulesets.phases.update(custom, { zone_id, rules: [] })
  await refuses(other, PermissionDeniedError, undefined, /^request is not authorized$/)
  await machine.rulesets.delete(fields, { zone_id })
  const zones = await tokens.create({ name: 'zones', policies: [await policyOf('Zone Read')] })
  const reader = clientWith(zones.value!)
  assert.deepEqual(
    (await all(reader.zones.list())).map(zone => zone.id),
    [zone_id],
  )
  await refuses(
    () => reader.rulesets.list({ zone_id }),
    PermissionDeniedError,
    10000,
    /^Authentication error$/,
  )
  await tokens.delete(zones.id!)

  assert.ok((await all(tokens.list({ per_page: 1 }))).some(token => token.name === 'logs'))
  const policies = [await policyOf('Zone WAF Write')]
  assert.equal((await tokens.update(id, { name: 'waf', policies })).name, 'waf')
  assert.equal((await tokens.get(id)).policies?.[0]?.permission_groups[0]?.name, 'Zone WAF Write')
  assert.equal((await written(machine.rulesets.phases.update(custom, { zone_id, rules: [] }))).kind, 'zone')
  const value = await tokens.value.update(id)
  await refuses(() => machine.user.tokens.verify(), AuthenticationError, 1000, /Invalid API Token/)
  assert.equal((await clientWith(value).user.tokens.verify())?.status, 'active')
  assert.equal((await tokens.delete(id))?.id, id)
  await refuses(() => tokens.get(id), NotFoundError, 10407, /could not find API token/)
})

test('tokens of the account', async () => {
  const { tokens } = client.accounts
  const policies = [await policyOf('Zone WAF Read')]
  const made = await tokens.create({ account_id, name: 'machine', policies })
  const id = made.id!
  const machine = clientWith(made.value!)
  assert.equal((await machine.accounts.tokens.verify({ account_id }))?.id, id)
  await refuses(() => machine.user.tokens.verify(), Cloudflare.AuthenticationError, 1000, /Invalid API Token/)
  assert.equal((await machine.rulesets.get(owasp, { zone_id })).rules.at(-1)?.id, lastRule)
  assert.deepEqual(
    (await all(tokens.list({ account_id }))).map(token => token.id),
    [id],
  )
  const disabled = await tokens.update(id, { account_id, name: 'off', status: 'disabled', policies })
  assert.deepEqual([disabled.name, disabled.status], ['off', 'disabled'])
  assert.equal((await tokens.get(id, { account_id })).status, 'disabled')
  assert.equal((await machine.accounts.tokens.verify({ account_id }))?.status, 'disabled')
  const value = await tokens.value.update(id, { account_id })
  assert.equal((await clientWith(value).accounts.tokens.verify({ account_id }))?.id, id)
  const groups = await tokens.permissionGroups.get({ account_id })
  assert.deepEqual(await all(tokens.permissionGroups.list({ account_id })), groups)
  assert.equal((await tokens.delete(id, { account_id }))?.id, id)
})

test('the audit trail, in pages that end', async () => {
  const entries = await all(client.auditLogs.list({ account_id, direction: 'asc', per_page: 100 }))
  assert.ok(entries.length > 100)
  // The first start's own come first.
  assert.equal(entries[0]?.action?.type, 'create')
  assert.ok(entries.some(({ action, resource }) => action?.type === 'create' && resource?.type === 'zone'))
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length)
  assert.deepEqual([...(await all(client.auditLogs.list({ account_id, per_page: 100 })))].reverse(), entries)
  const rolled = await all(client.auditLogs.list({ account_id, action: { type: 'roll' } }))
  assert.equal(rolled.length, 2)
  assert.deepEqual(await all(client.auditLogs.list({ account_id, before: '2020-01-01' })), [])
})
