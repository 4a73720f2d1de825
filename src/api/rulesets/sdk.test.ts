import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Cloudflare from 'cloudflare'
import { openTestApi, owaspId, type TestApi, token } from '../testing/test-api.ts'

/** Cloudflare's own client: every operation of rulesets, their versions and lists. */
let api: TestApi
let client: Cloudflare
let zone_id: string
let account_id: string
before(async () => {
  api = await openTestApi()
  const baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  const none = { apiEmail: null, apiKey: null, userServiceKey: null }
  client = new Cloudflare({ baseURL, maxRetries: 0, ...none, apiToken: token })
  zone_id = api.zoneId
  account_id = api.accountId
})
after(() => api.close())

type Ruleset = Awaited<ReturnType<Cloudflare['rulesets']['get']>>

/** The client's types leave the answer of a write open. */
async function written(answer: Promise<unknown>): Promise<Ruleset> {
  return (await answer) as Ruleset
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}

const phase = 'http_request_firewall_custom'
const block = (path: string) =>
  ({ action: 'block', expression: `http.request.uri.path eq "${path}"`, ref: path }) as const

for (const level of ['zone', 'account'] as const) {
  test(`rulesets, rules and versions of a ${level}`, async () => {
    const scope = level === 'zone' ? { zone_id } : { account_id }
    const kind = 'custom'
    const made = await written(
      client.rulesets.create({ ...scope, kind, name: 'sdk', phase, rules: [block('/a')] }),
    )
    const ruleset_id = made.id
    assert.deepEqual([made.kind, made.version, made.description], ['custom', '1', ''])
    await client.rulesets.rules.create(ruleset_id, { ...scope, ...block('/b') })
    const [a, b] = (await client.rulesets.get(ruleset_id, scope)).rules
    const moved = await written(
      client.rulesets.rules.edit(b!.id!, {
        ...scope,
        ruleset_id,
        ...block('/b'),
        position: { before: a!.id! },
      }),
    )
    assert.deepEqual(
      moved.rules.map(({ id }) => id),
      [b!.id, a!.id],
    )
    await client.rulesets.rules.delete(a!.id!, { ...scope, ruleset_id })
    const updated = await written(
      client.rulesets.update(ruleset_id, { ...scope, description: 'new', rules: [block('/b')] }),
    )
    assert.deepEqual([updated.version, updated.rules[0]?.id], ['5', b!.id])

    const versions = await all(client.rulesets.versions.list(ruleset_id, scope))
    assert.deepEqual(
      versions.map(({ version }: { version: string }) => version),
      ['1', '2', '3', '4', '5'],
    )
    const second = await client.rulesets.versions.get('2', { ...scope, ruleset_id })
    assert.deepEqual([second.version, second.rules.length], ['2', 2])
    await client.rulesets.versions.delete('2', { ...scope, ruleset_id })
    await assert.rejects(
      client.rulesets.versions.get('2', { ...scope, ruleset_id }),
      Cloudflare.NotFoundError,
    )

    const listed = await all(client.rulesets.list({ ...scope, per_page: 1 }))
    assert.deepEqual(new Set(listed.map(({ id }: { id: string }) => id)).size, listed.length)
    assert.ok(listed.some(({ id }: { id: string }) => id === ruleset_id))
    await client.rulesets.delete(ruleset_id, scope)
    await assert.rejects(client.rulesets.get(ruleset_id, scope), Cloudflare.NotFoundError)
  })
}

test('entry points and their versions', async () => {
  await assert.rejects(client.rulesets.phases.get(phase, { zone_id }), Cloudflare.NotFoundError)
  assert.deepEqual(await all(client.rulesets.phases.versions.list(phase, { zone_id })), [])
  const first = await written(client.rulesets.phases.update(phase, { zone_id, rules: [block('/a')] }))
  const second = await written(client.rulesets.phases.update(phase, { zone_id, rules: [] }))
  assert.deepEqual([first.version, second.version, second.id], ['1', '2', first.id])
  assert.deepEqual(await client.rulesets.phases.get(phase, { zone_id }), second)
  assert.equal((await all(client.rulesets.phases.versions.list(phase, { zone_id }))).length, 2)
  const old = await client.rulesets.phases.versions.get('1', { zone_id, ruleset_phase: phase })
  assert.deepEqual(old, first)
  await client.rulesets.delete(first.id, { zone_id })
})

test('the managed ruleset and its versions', async () => {
  const versions = await all(client.rulesets.versions.list(owaspId, { account_id }))
  assert.equal(versions.length, 1)
  const version = await client.rulesets.versions.get('1', { account_id, ruleset_id: owaspId })
  assert.deepEqual(version, await client.rulesets.get(owaspId, { account_id }))
  await assert.rejects(client.rulesets.delete(owaspId, { account_id }), Cloudflare.BadRequestError)
})

test('a stale write has a distinct error', async () => {
  const { id } = await written(client.rulesets.phases.update(phase, { zone_id, rules: [] }))
  await client.rulesets.phases.update(phase, { zone_id, rules: [block('/a')] })
  await assert.rejects(
    client.rulesets.update(id, { zone_id, rules: [] }, { headers: { 'If-Match': '"1"' } }),
    (error: unknown) => {
      assert.ok(error instanceof Cloudflare.APIError)
      assert.equal(error.status, 412)
      assert.match(error.errors[0]?.message ?? '', /1 added/)
      return true
    },
  )
  await client.rulesets.delete(id, { zone_id })
})

test('lists, their items and operations', async () => {
  const { lists } = client.rules
  const list = await lists.create({ account_id, kind: 'ip', name: 'sdk', description: 'ours' })
  const ended = async ({ operation_id }: { operation_id: string }): Promise<string> => {
    for (;;) {
      const { status } = await lists.bulkOperations.get(operation_id, { account_id })
      if (status !== 'pending' && status !== 'running') return status
      await sleep(5)
    }
  }
  const body = ['192.0.2.1', '192.0.2.2', '198.51.100.0/24'].map(ip => ({ ip }))
  assert.equal(await ended(await lists.items.create(list.id, { account_id, body })), 'completed')
  const items = await all(lists.items.list(list.id, { account_id, per_page: 2 }))
  assert.deepEqual(
    items.map(item => 'ip' in item && item.ip),
    body.map(({ ip }) => ip),
  )
  const [first] = items
  assert.deepEqual(await lists.items.get(first!.id, { account_id, list_id: list.id }), first)
  const found = await all(lists.items.list(list.id, { account_id, search: '198.' }))
  assert.equal(found.length, 1)
  await ended(await lists.items.delete(list.id, { account_id, items: [{ id: first!.id }] }))
  assert.equal((await lists.get(list.id, { account_id })).num_items, 2)
  await ended(await lists.items.update(list.id, { account_id, body: [{ ip: '203.0.113.1', comment: 'c' }] }))
  assert.equal((await all(lists.items.list(list.id, { account_id }))).length, 1)

  const used = await written(
    client.rulesets.phases.update(phase, {
      zone_id,
      rules: [{ action: 'block', expression: 'ip.src in $sdk' }],
    }),
  )
  const updated = await lists.update(list.id, { account_id, description: 'new' })
  assert.deepEqual([updated.description, updated.num_referencing_filters], ['new', 1])
  await assert.rejects(lists.delete(list.id, { account_id }), Cloudflare.BadRequestError)
  await client.rulesets.delete(used.id, { zone_id })
  assert.deepEqual(await lists.delete(list.id, { account_id }), { id: list.id })
  assert.deepEqual(await all(lists.list({ account_id })), [])
  await assert.rejects(lists.get(list.id, { account_id }), Cloudflare.NotFoundError)
})
