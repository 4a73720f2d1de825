import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Analytics, PreviewPage, PreviewQuery } from '../../../analytics/index.ts'
import { previewLimits } from '../../../analytics/limits.ts'
import { type Area, groupOf, type Level } from '../../access/permissions/groups.ts'
import { openTestApi, type TestApi, token } from '../../testing/test-api.ts'
import { previewRequestLimits } from '../limits.ts'

const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
let api: TestApi
let sqli = ''
const queries: PreviewQuery[] = []
let pages: PreviewPage[] = []
let held: Promise<void> | undefined

const analytics: Partial<Analytics> = {
  previewPage: async (_zone, query) => {
    queries.push(query)
    await held
    return pages[queries.length - 1] ?? aPage()
  },
}

before(async () => {
  api = await openTestApi({ analytics: analytics as Analytics })
  sqli = (await api.store.crs.managedRulesets(1))[0]!.rules[0]!.id
})
after(() => api.close())
beforeEach(() => {
  queries.length = 0
  pages = []
})

function aPage(changes: Partial<PreviewPage> = {}): PreviewPage {
  return {
    events: 10,
    matched: 4,
    outcomes: {
      let_through: 1,
      possibly_let_through: 1,
      still_held_up: 1,
      not_held_up: 0,
      unaffected: 0,
      undecided: 2,
    },
    unknownFields: { 'http.cookie': 2 },
    examples: [],
    next: undefined,
    ...changes,
  }
}

const anExample = (ray: string, outcome: 'let_through' | 'undecided'): PreviewPage['examples'][number] => ({
  position: { timeMs: 1, id: 1 },
  outcome,
  timeMs: Date.UTC(2026, 0, 2, 3),
  ray,
  client: '192.0.2.1',
  country: 'nz',
  host: 'shop.example',
  method: 'GET',
  path: '/a',
  action: 'block',
  rule: lastRule,
  score: 10,
  remainingScore: 5,
  threshold: 8,
  rules: [{ id: sqli, ref: '942100', score: 5, target: 'ARGS:q', skipped: true }],
  unknownFields: [],
})

const path = () => `/zones/${api.zoneId}/security/exceptions/preview`
const aDraft = (changes: object = {}) => ({
  expression: 'http.host eq "shop.example"',
  action_parameters: { rules: { [owasp]: [sqli] } },
  since: '2026-01-02T00:00:00Z',
  until: '2026-01-03T00:00:00Z',
  ...changes,
})
const preview = (changes: object = {}) => api.send('POST', path(), aDraft(changes))

test('an exception becomes a query of events', async () => {
  const target = { collection: 'ARGS', rule: sqli, key: 'q' }
  const none = { rulesets: [], rules: {}, targets: [] }
  const rows: readonly (readonly [parameters: object, skip: PreviewQuery['skip']])[] = [
    [{ ruleset: 'current' }, { ...none, rulesets: 'all' }],
    [{ rulesets: [owasp] }, { ...none, rulesets: [owasp] }],
    [{ rules: { [owasp]: [sqli] } }, { ...none, rules: { [owasp]: [sqli] } }],
    [
      { targets: [target] },
      { ...none, targets: [{ ruleset: owasp, rules: [sqli], collection: 'ARGS', key: 'q' }] },
    ],
    [
      { targets: [{ collection: 'ARGS', tag: 'paranoia-level-1', json_path: '$.user.name' }] },
      { ...none, targets: [{ ruleset: owasp, rules: [sqli], collection: 'ARGS', key: 'user.name' }] },
    ],
    [
      { targets: [{ collection: 'ARGS', tag: 'absent', key_pattern: '^a' }] },
      { ...none, targets: [{ ruleset: owasp, rules: [], collection: 'ARGS', keyPattern: '^a' }] },
    ],
  ]
  for (const [action_parameters, skip] of rows) {
    queries.length = 0
    const { status } = await preview({ action_parameters })
    assert.equal(status, 200, JSON.stringify(action_parameters))
    assert.deepEqual(queries, [
      {
        range: { sinceMs: Date.UTC(2026, 0, 2), untilMs: Date.UTC(2026, 0, 3) },
        expression: 'http.host eq "shop.example"',
        normalization: 'cloudflare',
        lists: {},
        skip,
        lastRules: [lastRule],
      },
    ])
  }
})

test('the query includes the lists that the expression names, and no others', async () => {
  const send = (path: string, body: unknown) =>
    api.send('POST', `/accounts/${api.accountId}/rules/lists${path}`, body)
  for (const name of ['office', 'other']) {
    const { body } = await send('', { name, kind: 'ip' })
    await send(`/${body.result.id}/items`, [{ ip: '192.0.2.0/28' }])
  }
  const list = (await api.store.lists.list(api.accountId)).find(({ name }) => name === 'office')!
  while ((await api.store.lists.contents(list.id)).length === 0) await sleep(10)
  await preview({ expression: 'ip.src in $office' })
  assert.deepEqual(Object.keys(queries[0]!.lists), ['Ip office'])
  const { kind, items } = queries[0]!.lists['Ip office']!
  assert.deepEqual([kind, items[0]?.['ip']], ['ip', '192.0.2.0/28'])
})

type Group = readonly [area: Area, level: Level]

/** A token with permission groups of the zone or the account. */
async function tokenWith(groups: readonly Group[]): Promise<string> {
  const policies = groups.map(([area, level]) => {
    const { id, scopes } = groupOf(area, level)
    const resource = scopes[0] === 'zone' ? `zone.${api.zoneId}` : api.accountId
    return {
      effect: 'allow',
      permission_groups: [{ id }],
      resources: { [`com.cloudflare.api.account.${resource}`]: '*' },
    }
  })
  return (await api.send('POST', '/user/tokens', { name: 'some', policies })).body.result.value
}

test('the items and the existence of a list stay hidden from credentials that could not find them otherwise', async () => {
  const logs: Group = ['zoneLogs', 'read']
  const plain = 'ip.src eq 192.0.2.1'
  const there = 'ip.src in $office'
  const missing = 'ip.src in $absent'
  const rows: readonly (readonly [groups: readonly Group[], expression: string, status: number])[] = [
    [[logs], plain, 200],
    [[logs], there, 403],
    [[logs], missing, 403],
    [[logs, ['zoneWaf', 'read']], there, 403],
    [[logs, ['zoneWaf', 'write']], there, 200],
    [[logs, ['accountLists', 'read']], there, 200],
    [[logs, ['accountLists', 'read']], missing, 400],
    [[['zoneWaf', 'write']], there, 403],
  ]
  for (const [groups, expression, status] of rows) {
    queries.length = 0
    const authorization = `Bearer ${await tokenWith(groups)}`
    const answer = await api.send('POST', path(), aDraft({ expression }), { authorization })
    const name = `${groups.join(' ')}: ${expression}`
    assert.equal(answer.status, status, name)
    assert.equal(queries.length, status === 200 ? 1 : 0, name)
    if (status === 403) assert.equal(answer.body.errors[0].code, 10000, name)
  }
})

test('the replay ends when the client disconnects', async () => {
  let letGo = () => {}
  held = new Promise(resolve => {
    letGo = resolve
  })
  pages = [aPage({ next: { timeMs: 5, id: 5 } })]
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const leaving = new AbortController()
  const left = new Promise(resolve =>
    api.app.server.once('request', (_request, response) => response.once('close', resolve)),
  )
  const asking = fetch(`http://127.0.0.1:${port}/client/v4${path()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(aDraft()),
    signal: leaving.signal,
  })
  while (queries.length === 0) await sleep(5)
  leaving.abort()
  await assert.rejects(asking)
  await left
  letGo()
  held = undefined
  // Its slot is free when it has ended; otherwise it would have read the second page.
  const after = Array.from({ length: previewRequestLimits.runningMax }, () => preview())
  for (const one of after) assert.equal((await one).status, 200)
  assert.equal(queries.length, 1 + previewRequestLimits.runningMax)
})

test('pages are added up, and examples stay few', async () => {
  const examples = Array.from({ length: previewLimits.examplesPerOutcome }, (_, n) =>
    anExample(`${n}`.repeat(16), 'let_through'),
  )
  pages = [
    aPage({
      next: { timeMs: 5, id: 5 },
      examples: [anExample('a'.repeat(16), 'undecided'), ...examples.slice(1)],
    }),
    aPage({ unknownFields: { 'http.cookie': 1, 'http.request.body.raw': 5 }, examples }),
  ]
  const { body } = await preview()
  assert.deepEqual(queries[1]!.before, { timeMs: 5, id: 5 })
  const { examples: shown, ...rest } = body.result
  assert.deepEqual(rest, {
    since: '2026-01-02T00:00:00.000000Z',
    until: '2026-01-03T00:00:00.000000Z',
    complete: true,
    events: 20,
    matched: 8,
    let_through: 2,
    possibly_let_through: 2,
    still_held_up: 2,
    not_held_up: 0,
    unaffected: 0,
    undecided: 4,
    unknown_fields: [
      { name: 'http.request.body.raw', events: 5 },
      { name: 'http.cookie', events: 3 },
    ],
  })
  assert.deepEqual(
    shown.map(({ outcome }: { outcome: string }) => outcome),
    [...examples.map(() => 'let_through'), 'undecided'],
  )
  assert.deepEqual(shown[0], {
    outcome: 'let_through',
    datetime: '2026-01-02T03:00:00.000000Z',
    ray_id: '1'.repeat(16),
    client_ip: '192.0.2.1',
    client_country: 'nz',
    host: 'shop.example',
    method: 'GET',
    path: '/a',
    action: 'block',
    rule_id: lastRule,
    score: 10,
    remaining_score: 5,
    threshold: 8,
    rules: [{ id: sqli, ref: '942100', score: 5, target: 'ARGS:q', skipped: true }],
    unknown_fields: [],
  })
})

test('it stops at the limit of events and reports how far it came', async () => {
  const stoppedMs = Date.UTC(2026, 0, 2, 12)
  pages = Array.from({ length: 9 }, () =>
    aPage({ events: previewRequestLimits.eventsMax / 2, next: { timeMs: stoppedMs, id: 1 } }),
  )
  const { body } = await preview()
  assert.equal(queries.length, 2)
  assert.deepEqual([body.result.complete, body.result.since], [false, '2026-01-02T12:00:00.000000Z'])
})

test('invalid exceptions are refused with a pointer', async () => {
  const rows: readonly (readonly [name: string, changes: object, pointer: string])[] = [
    ['no expression', { expression: undefined }, '/expression'],
    ['an empty expression', { expression: ' ' }, '/expression'],
    ['an expression that does not parse', { expression: 'http.hst eq "a"' }, '/expression'],
    ['a list that is not there', { expression: 'ip.src in $absent' }, '/expression'],
    ['no parameters', { action_parameters: undefined }, '/action_parameters'],
    ['empty parameters', { action_parameters: {} }, '/action_parameters'],
    ['another phase', { action_parameters: { phases: ['http_ratelimit'] } }, '/action_parameters/phases'],
    [
      'an unknown ruleset',
      { action_parameters: { rulesets: ['0'.repeat(32)] } },
      '/action_parameters/rulesets/0',
    ],
    [
      'an unknown rule',
      { action_parameters: { rules: { [owasp]: ['0'.repeat(32)] } } },
      `/action_parameters/rules/${owasp}/0`,
    ],
    [
      'a wrong target',
      { action_parameters: { targets: [{ collection: 'ARGS' }] } },
      '/action_parameters/targets/0',
    ],
  ]
  for (const [name, changes, pointer] of rows) {
    const { status, body } = await preview(changes)
    assert.equal(status, 400, name)
    assert.equal(body.errors[0].source.pointer, pointer, name)
  }
  assert.equal((await preview({ since: '2026-01-04T00:00:00Z' })).status, 400)
  assert.equal(queries.length, 0)
})

test('the number of concurrent previews is limited', async () => {
  let letGo = () => {}
  held = new Promise(resolve => {
    letGo = resolve
  })
  const running = Array.from({ length: previewRequestLimits.runningMax }, () => preview())
  while (queries.length < previewRequestLimits.runningMax) await sleep(10)
  const refused = await preview()
  assert.equal(refused.status, 429)
  assert.equal(refused.body.errors[0].code, 10484)
  letGo()
  held = undefined
  for (const one of running) assert.equal((await one).status, 200)
  assert.equal((await preview()).status, 200)
})
