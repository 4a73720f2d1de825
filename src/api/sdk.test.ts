import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import Cloudflare from 'cloudflare'
import { email, key, lastRuleId, openTestApi, owaspId, type TestApi, token } from './testing/test-api.ts'

/** Cloudflare's own client against a listening API: every call in its common form. */
let api: TestApi
let baseURL: string
let client: Cloudflare
let zone_id: string
let account_id: string
before(async () => {
  api = await openTestApi()
  baseURL = `${await api.app.listen({ port: 0, host: '127.0.0.1' })}/client/v4`
  client = clientWith({ apiToken: token })
  zone_id = api.zoneId
  account_id = api.accountId
})
after(() => api.close())

/** Without the environment's credentials, which the client would send as well. */
function clientWith(credentials: { apiToken?: string; apiEmail?: string; apiKey?: string }): Cloudflare {
  const none = { apiToken: null, apiEmail: null, apiKey: null, userServiceKey: null }
  return new Cloudflare({ baseURL, maxRetries: 0, ...none, ...credentials })
}

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

test('credentials', async () => {
  assert.equal((await client.user.tokens.verify())?.status, 'active')
  const byKey = clientWith({ apiEmail: email, apiKey: key })
  assert.equal((await all(byKey.zones.list())).length, 1)
  const both = clientWith({ apiToken: token, apiEmail: email, apiKey: 'wrong' })
  assert.equal((await all(both.zones.list())).length, 1)

  const stranger = clientWith({ apiToken: 'a'.repeat(40) })
  await assert.rejects(stranger.user.tokens.verify(), Cloudflare.AuthenticationError)
  await assert.rejects(all(stranger.zones.list()), Cloudflare.PermissionDeniedError)
  await assert.rejects(stranger.rulesets.get(owaspId, { zone_id }), Cloudflare.AuthenticationError)
})

test('accounts and zones, with pages that end', async () => {
  assert.deepEqual(
    (await all(client.accounts.list())).map(account => account.id),
    [account_id],
  )
  assert.equal((await client.accounts.get({ account_id })).name, 'Team')

  const origin = { origin: { url: 'http://127.0.0.1:9001' } }
  const zone = await client.zones.create({
    account: { id: account_id },
    name: 'sdk.example',
    type: 'full',
    ...origin,
  })
  assert.equal(zone.status, 'active')
  const names = (await all(client.zones.list({ per_page: 1, order: 'name' }))).map(({ name }) => name)
  assert.deepEqual(names, ['sdk.example', 'shop.example'])
  const found = await all(
    client.zones.list({ name: 'sdk.example', account: { id: account_id }, status: 'active' }),
  )
  assert.equal(found[0]?.id, zone.id)
  assert.equal((await client.zones.get({ zone_id: zone.id })).name, 'sdk.example')
  assert.equal((await client.zones.edit({ zone_id: zone.id, paused: true })).paused, true)
  assert.equal((await client.zones.delete({ zone_id: zone.id }))?.id, zone.id)
  await assert.rejects(client.zones.get({ zone_id: zone.id }), Cloudflare.NotFoundError)
})

test('the managed ruleset is found, deployed and tuned', async () => {
  const phase = 'http_request_firewall_managed'
  const listed = await all(client.rulesets.list({ account_id }))
  assert.deepEqual(
    listed
      .slice(0, 2)
      .map(({ id, kind, source }: { id: string; kind: string; source?: string }) => [id, kind, source]),
    [
      [owaspId, 'managed', 'firewall_managed'],
      ['70339d97bdb34195bbf054b1ebe81f76', 'managed', undefined],
    ],
  )
  const managed = await client.rulesets.get(owaspId, { account_id })
  assert.equal(managed.rules.at(-1)?.id, lastRuleId)
  await assert.rejects(client.rulesets.phases.get(phase, { zone_id }), Cloudflare.NotFoundError)

  const rule = { action: 'execute', expression: 'true', action_parameters: { id: owaspId } } as const
  const deployed = await written(client.rulesets.phases.update(phase, { zone_id, rules: [rule] }))
  const deployedId = deployed.rules[0]?.id ?? ''
  const tuned = await written(
    client.rulesets.rules.edit(deployedId, {
      zone_id,
      ruleset_id: deployed.id,
      ...rule,
      enabled: true,
      action_parameters: {
        id: owaspId,
        overrides: {
          categories: [{ category: 'paranoia-level-4', enabled: false }],
          rules: [{ id: lastRuleId, action: 'managed_challenge', score_threshold: 60 }],
        },
      },
    }),
  )
  assert.equal(tuned.version, '2')
  const read = await client.rulesets.phases.get(phase, { zone_id })
  assert.deepEqual(read, tuned)
  const inZone: readonly { id: string }[] = await all(client.rulesets.list({ zone_id }))
  assert.ok(inZone.some(({ id }) => id === deployed.id))
  await client.rulesets.delete(deployed.id, { zone_id })
  await assert.rejects(client.rulesets.get(deployed.id, { zone_id }), Cloudflare.NotFoundError)
})

test('rules are created, moved and deleted', async () => {
  const ruleset = await written(
    client.rulesets.create({
      zone_id,
      kind: 'zone',
      name: 'custom',
      description: 'ours',
      phase: 'http_request_firewall_custom',
      rules: [{ action: 'block', expression: 'http.request.uri.path eq "/a"', ref: 'a' }],
    }),
  )
  const ruleset_id = ruleset.id
  const added = await written(
    client.rulesets.rules.create(ruleset_id, {
      zone_id,
      action: 'log',
      expression: 'true',
      position: { before: '' },
    }),
  )
  assert.deepEqual(
    added.rules.map(({ action }) => action),
    ['log', 'block'],
  )
  const updated = await written(
    client.rulesets.update(ruleset_id, {
      zone_id,
      kind: 'zone',
      phase: 'http_request_firewall_custom',
      name: 'custom',
      rules: [{ action: 'block', expression: 'http.request.uri.path eq "/b"', ref: 'a' }],
    }),
  )
  assert.equal(updated.rules[0]?.id, ruleset.rules[0]?.id)
  assert.equal(updated.description, 'ours')
  const emptied = await written(
    client.rulesets.rules.delete(updated.rules[0]?.id ?? '', { zone_id, ruleset_id }),
  )
  assert.deepEqual(emptied.rules, [])
  await client.rulesets.delete(ruleset_id, { zone_id })
})

test('custom log fields, then a job that delivers them', async () => {
  const phase = 'http_log_custom_fields'
  const { id } = await written(client.rulesets.create({ zone_id, kind: 'zone', name: 'fields', phase }))
  const fields = await written(
    client.rulesets.update(id, {
      zone_id,
      rules: [
        {
          action: 'log_custom_field',
          expression: 'true',
          action_parameters: {
            request_fields: [{ name: 'x-request-id' }],
            cookie_fields: [{ name: 'Session' }],
          },
        },
      ],
    }),
  )
  assert.equal(fields.version, '2')

  const destination_conf = `file://${join(api.directory, 'logs')}`
  const made = await client.logpush.jobs.create({
    zone_id,
    destination_conf,
    dataset: 'http_requests',
    name: 'sdk',
    logpull_options: 'fields=RayID,Cookies,RequestHeaders&timestamps=rfc3339',
  })
  const id_ = made?.id ?? 0
  assert.equal(made?.destination_conf, destination_conf)
  assert.equal((await client.logpush.jobs.update(id_, { zone_id, enabled: true }))?.enabled, true)
  assert.equal((await client.logpush.jobs.get(id_, { zone_id }))?.enabled, true)
  assert.equal((await all(client.logpush.jobs.list({ zone_id }))).length, 1)
  assert.equal((await all(client.logpush.datasets.jobs.get('http_requests', { zone_id }))).length, 1)
  assert.deepEqual(await client.logpush.jobs.delete(id_, { zone_id }), { id: id_ })
  await assert.rejects(client.logpush.jobs.get(id_, { zone_id }), Cloudflare.NotFoundError)
})

test('ownership, destinations, options and datasets', async () => {
  const destination_conf = `file://${join(api.directory, 'owned')}`
  const issued = await client.logpush.ownership.create({ zone_id, destination_conf })
  assert.equal(issued?.valid, true)
  const ownership_challenge = await readFile(join(api.directory, 'owned', 'ownership-challenge.txt'), 'utf8')
  const validated = await client.logpush.ownership.validate({
    zone_id,
    destination_conf,
    ownership_challenge,
  })
  assert.deepEqual(validated, { valid: true })
  const { validate } = client.logpush
  assert.equal((await validate.destination({ zone_id, destination_conf }))?.valid, true)
  assert.deepEqual(await validate.destinationExists({ zone_id, destination_conf }), { exists: false })
  assert.equal((await validate.origin({ zone_id, logpull_options: 'fields=RayID' }))?.valid, true)
  const fields = await client.logpush.datasets.fields.get('http_requests', { zone_id })
  assert.match((fields as Record<string, string>)['RayID'] ?? '', /^string; /)
})

test('answers that clients read on their way have the upstream shape, and need rights', async () => {
  assert.deepEqual((await clientWith({ apiToken: 'unknown' }).ips.list()).ipv4_cidrs, [])
  assert.equal((await client.user.get())?.email, email)
  const [membership, ...others] = await all(client.memberships.list())
  assert.deepEqual(others, [])
  assert.deepEqual([membership?.account?.id, membership?.status], [account_id, 'accepted'])
  const roles = await all(client.accounts.roles.list({ account_id }))
  assert.deepEqual(
    roles.map(role => role.name),
    ['Super Administrator - All Privileges', 'Editor', 'Analyst'],
  )
  assert.equal((await client.zones.subscriptions.get({ zone_id })).rate_plan?.id, 'enterprise')
  const bots = (await client.botManagement.get({ zone_id })) as { using_latest_model?: boolean }
  assert.equal(bots.using_latest_model, true)
  assert.deepEqual(await client.ssl.universal.settings.get({ zone_id }), { enabled: false })
  assert.deepEqual(await client.ssl.universal.settings.edit({ zone_id, enabled: false }), { enabled: false })
  await assert.rejects(client.ssl.universal.settings.edit({ zone_id, enabled: true }), /come by ACME/)
  assert.deepEqual(await all(client.ssl.certificatePacks.list({ zone_id, status: 'all' })), [])
  assert.equal((await client.dns.dnssec.get({ zone_id })).status, 'disabled')
  assert.equal((await client.dns.dnssec.edit({ zone_id, status: 'disabled' })).status, 'disabled')
  await assert.rejects(client.dns.dnssec.edit({ zone_id, status: 'active' }), /not a name server/)

  const resources = { [`com.cloudflare.api.account.zone.${zone_id}`]: '*' }
  const groups = [{ id: 'dbc512b354774852af2b5a5f4ba3d470' }]
  const { value } = await client.user.tokens.create({
    name: 'WAF of one zone',
    policies: [{ effect: 'allow', permission_groups: groups, resources }],
  })
  const other = clientWith({ apiToken: value! })
  assert.deepEqual(await all(other.memberships.list()), [])
  await assert.rejects(all(other.accounts.roles.list({ account_id })), Cloudflare.PermissionDeniedError)
  await assert.rejects(other.dns.dnssec.get({ zone_id }), Cloudflare.PermissionDeniedError)
})

test('errors carry codes and pointers', async () => {
  await assert.rejects(
    client.rulesets.create({
      zone_id,
      kind: 'zone',
      name: 'bad',
      phase: 'http_request_firewall_custom',
      rules: [{ action: 'block', expression: '' }],
    }),
    (error: unknown) => {
      assert.ok(error instanceof Cloudflare.BadRequestError)
      assert.equal(error.errors[0]?.code, 20125)
      return true
    },
  )
})
