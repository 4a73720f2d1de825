import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { previewLimits } from '../limits.ts'
import { openDuckDBStore } from '../records/duckdb/store.ts'
import type { RecordStore } from '../records/port.ts'
import { batchOf } from '../records/testing/suite.ts'
import { previewPage } from './page.ts'
import type { PreviewOutcome, PreviewPage, PreviewQuery } from './types.ts'

const account = 'a'.repeat(32)
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const last = '6179ae15870a4bb7b2d480d4843b323c'
const sqli = '1'.repeat(32)
const xss = '2'.repeat(32)
const other = '3'.repeat(32)
const startMs = Date.UTC(2026, 0, 2, 3)
const directory = mkdtempSync(join(tmpdir(), 'sluice-preview-'))
let store: RecordStore
let zones = 0

before(async () => {
  store = await openDuckDBStore(join(directory, 'analytics.duckdb'))
})
after(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

type Fields = Readonly<Record<string, unknown>>

const matched = (id: string, score: number, target = 'ARGS:q') => ({
  id,
  ref: '942100',
  score,
  total: score,
  target,
})

function event(changes: Fields = {}, metadata: Fields = {}): Fields {
  return {
    Action: 'block',
    ClientASN: 64500,
    ClientCountry: 'nz',
    ClientIP: '192.0.2.1',
    ClientRequestHost: 'Shop.Example:8080',
    ClientRequestMethod: 'POST',
    ClientRequestPath: '/search',
    ClientRequestProtocol: 'HTTP/1.1',
    ClientRequestQuery: '?q=%27or&p=1',
    ClientRequestScheme: 'https',
    ClientRequestUserAgent: 'Käfer/1.0',
    ClientRefererScheme: 'https',
    ClientRefererHost: 'a.example',
    ClientRefererPath: '/from',
    ClientRefererQuery: '?x=1',
    Datetime: `${startMs}000000`,
    RayID: '00000000000000ff',
    RuleID: last,
    Source: 'firewallmanaged',
    ZoneName: 'shop.example',
    Metadata: {
      type: 'managed',
      ruleset_id: owasp,
      score: 10,
      threshold: 8,
      rules: [matched(sqli, 5), matched(xss, 5, 'REQUEST_HEADERS:User-Agent')],
      ...metadata,
    },
    ...changes,
  }
}

/** Writes events of a zone that it does not share with others and replays them. */
async function preview(events: readonly Fields[], query: Partial<PreviewQuery> = {}): Promise<PreviewPage> {
  const zone = (++zones).toString(16).padStart(32, '0')
  const records = events.map(fields => JSON.stringify({ zone, account, dataset: 'firewall_events', fields }))
  assert.equal(await store.append(batchOf(records, 0, zone)), true)
  return previewPage(store, zone, {
    range: { sinceMs: startMs - 1000, untilMs: startMs + 1000 },
    expression: 'true',
    lists: {},
    skip: { rulesets: [], rules: {}, targets: [], ...query.skip },
    lastRules: [last],
    ...query,
  })
}

const skipOf = (skip: Partial<PreviewQuery['skip']>): Partial<PreviewQuery> => ({
  skip: { rulesets: [], rules: {}, targets: [], ...skip },
})

/** The one outcome of one event. */
async function outcomeOf(
  fields: Fields,
  skip: Partial<PreviewQuery['skip']>,
): Promise<PreviewOutcome | undefined> {
  const { outcomes } = await preview([fields], skipOf(skip))
  const found = Object.entries(outcomes).filter(([, count]) => count > 0)
  assert.ok(found.length <= 1)
  return found[0]?.[0] as PreviewOutcome | undefined
}

test('the outcome of an event, by its remaining points', async () => {
  const held = event()
  const onTarget = (changes: object) => [
    { ruleset: owasp, rules: [sqli], collection: 'ARGS', key: 'Q', ...changes },
  ]
  const rows: readonly (readonly [
    name: string,
    fields: Fields,
    skip: Partial<PreviewQuery['skip']>,
    want: PreviewOutcome | undefined,
  ])[] = [
    ['the whole ruleset', held, { rulesets: [owasp] }, 'let_through'],
    ['all rulesets', held, { rulesets: 'all' }, 'let_through'],
    ['another ruleset', held, { rulesets: [other] }, 'unaffected'],
    ['a rule: 5 of 8', held, { rules: { [owasp]: [sqli] } }, 'let_through'],
    [
      'a rule: just at the threshold',
      event({}, { threshold: 5 }),
      { rules: { [owasp]: [sqli] } },
      'still_held_up',
    ],
    ['just below the threshold', event({}, { threshold: 6 }), { rules: { [owasp]: [sqli] } }, 'let_through'],
    ['a rule that did not match', held, { rules: { [owasp]: [other] } }, 'still_held_up'],
    ['a rule of another ruleset', held, { rules: { [other]: [sqli] } }, 'unaffected'],
    ['the last rule', event({}, { threshold: 1 }), { rules: { [owasp]: [last] } }, 'let_through'],
    ['one value of a rule', held, { targets: onTarget({}) }, 'possibly_let_through'],
    ['another value of it', held, { targets: onTarget({ key: 'p' }) }, 'still_held_up'],
    ['all values of a collection', held, { targets: onTarget({ key: undefined }) }, 'possibly_let_through'],
    ['another collection', held, { targets: onTarget({ collection: 'ARGS_GET' }) }, 'still_held_up'],
    [
      'a pattern of names',
      held,
      { targets: onTarget({ key: undefined, keyPattern: '^Q$' }) },
      'possibly_let_through',
    ],
    [
      'a pattern of other names',
      held,
      { targets: onTarget({ key: undefined, keyPattern: '^z' }) },
      'still_held_up',
    ],
    [
      'a rule and a value',
      event({}, { threshold: 1 }),
      { rules: { [owasp]: [xss] }, targets: onTarget({}) },
      'possibly_let_through',
    ],
    [
      'a rule that stopped the request by itself, skipped',
      event({ RuleID: sqli }, { threshold: 6 }),
      { rules: { [owasp]: [sqli] } },
      'let_through',
    ],
    ['such a rule, not skipped', event({ RuleID: sqli }), { rules: { [owasp]: [xss] } }, 'still_held_up'],
    [
      'rules that are not listed',
      event({}, { score: 500, rules_omitted: 90 }),
      { rules: { [owasp]: [sqli] } },
      'possibly_let_through',
    ],
    ['an event that was only logged', event({ Action: 'log' }), { rulesets: 'all' }, 'not_held_up'],
    [
      'a challenge that was solved',
      event({ Action: 'managedchallengenoninteractivesolved' }),
      { rulesets: 'all' },
      'not_held_up',
    ],
    [
      'an event of a custom rule',
      event({ Source: 'firewallcustom', Metadata: { type: 'customer', ruleset_id: other } }),
      { rulesets: 'all' },
      'unaffected',
    ],
    [
      'an event of a shadow',
      event({ Action: 'log', Metadata: { type: 'managed', ruleset_id: owasp, shadow: { score: 5 } } }),
      { rulesets: 'all' },
      undefined,
    ],
  ]
  for (const [name, fields, skip, want] of rows) assert.equal(await outcomeOf(fields, skip), want, name)
})

test('an example shows the scores before and after, rule by rule', async () => {
  const {
    examples,
    events,
    matched: matches,
  } = await preview([event()], skipOf({ rules: { [owasp]: [sqli] } }))
  assert.deepEqual([events, matches, examples.length], [1, 1, 1])
  const { position, ...example } = examples[0]!
  assert.equal(position.timeMs, startMs)
  assert.deepEqual(example, {
    outcome: 'let_through',
    timeMs: startMs,
    ray: '00000000000000ff',
    client: '192.0.2.1',
    country: 'nz',
    host: 'Shop.Example:8080',
    method: 'POST',
    path: '/search',
    action: 'block',
    rule: last,
    score: 10,
    remainingScore: 5,
    threshold: 8,
    rules: [
      { id: sqli, ref: '942100', score: 5, target: 'ARGS:q', skipped: true },
      { id: xss, ref: '942100', score: 5, target: 'REQUEST_HEADERS:User-Agent', skipped: false },
    ],
    unknownFields: [],
  })
})

test('expressions are those of the edge, over the recorded data of events', async () => {
  const rows: readonly (readonly [expression: string, want: boolean | readonly string[]])[] = [
    ['http.host eq "shop.example"', true],
    ['http.request.method in {"GET" "POST"}', true],
    ['http.request.uri.path eq "/search" and http.request.uri.query contains "p=1"', true],
    ['any(http.request.uri.args["p"][*] eq "1")', true],
    ['http.request.full_uri eq "https://shop.example/search?q=%27or&p=1"', true],
    ['raw.http.request.uri.path eq "/search"', true],
    ['http.user_agent eq "Käfer/1.0"', true],
    ['any(http.request.headers["user-agent"][*] contains "fer/")', true],
    ['http.referer eq "https://a.example/from?x=1"', true],
    ['ssl', true],
    ['ip.src in {192.0.2.0/24}', true],
    ['ip.src.country eq "NZ" and ip.src.asnum eq 64500 and ip.src.continent eq "OC"', true],
    ['http.request.timestamp.sec eq 1767322800', true],
    ['cf.ray_id eq "00000000000000ff" and cf.zone.name eq "shop.example"', true],
    ['cf.waf.score gt 50 and not cf.client.bot', true],
    ['ip.src in $office', true],
    ['http.host in $hosts', false],
    ['http.request.method eq "GET" and http.cookie contains "a"', false],
    ['http.request.body.raw contains "x"', ['http.request.body.raw']],
    [
      'http.cookie contains "a" or http.request.body.raw contains "b"',
      ['http.cookie', 'http.request.body.raw'],
    ],
    ['any(http.request.headers["x-api"][*] eq "1")', ['http.request.headers']],
    ['len(http.request.headers.names) gt 3', ['http.request.headers.names']],
    ['any(http.request.headers.values[*] eq "x")', ['http.request.headers.values']],
    ['ip.src.city eq "Wellington"', ['ip.src.city']],
    ['cf.edge.server_port eq 443', ['cf.edge.server_port']],
  ]
  const lists: PreviewQuery['lists'] = {
    'Ip office': { kind: 'ip', items: [{ ip: '192.0.2.0/28' }] },
    'Bytes hosts': { kind: 'hostname', items: [{ hostname: { url_hostname: '*.shop.example' } }] },
  }
  for (const [expression, want] of rows) {
    const page = await preview([event()], { ...skipOf({ rulesets: 'all' }), expression, lists })
    const found = page.outcomes.undecided === 1 ? Object.keys(page.unknownFields).sort() : page.matched === 1
    assert.deepEqual(found, want, expression)
  }
})

test('paths are normalised by the zone’s setting, raw ones are not', async () => {
  const asked = async (expression: string, more: Partial<PreviewQuery>) =>
    (await preview([event({ ClientRequestPath: '//a/%62' })], { expression, ...more })).matched
  const path = 'http.request.uri.path eq'
  assert.equal(await asked(`${path} "/a/b"`, { normalization: 'cloudflare' }), 1)
  assert.equal(await asked(`${path} "//a/b"`, { normalization: 'rfc3986' }), 1)
  assert.equal(await asked(`${path} "//a/%62"`, {}), 1)
  assert.equal(await asked(`raw.${path} "//a/%62"`, { normalization: 'cloudflare' }), 1)
})

test('redacted data of an event is unknown too', async () => {
  const expression = 'http.request.uri.query contains "hunter2" and http.request.uri.path eq "/a"'
  const ask = (path: string, query: string) =>
    preview([event({ ClientRequestPath: path, ClientRequestQuery: query })], {
      ...skipOf({ rulesets: 'all' }),
      expression,
    })
  assert.deepEqual((await ask('/a', '?token=[redacted]')).unknownFields, { 'http.request.uri.query': 1 })
  assert.deepEqual((await ask('/b', '?token=[redacted]')).unknownFields, {})
  assert.deepEqual((await ask('/a', '?card=************1111')).unknownFields, { 'http.request.uri.query': 1 })
  assert.equal((await ask('/a', '?p=hunter2')).matched, 1)
})

test('an undecided expression matters only for events that the skip would change', async () => {
  const page = await preview([event(), event({ Action: 'log' })], {
    ...skipOf({ rulesets: 'all' }),
    expression: 'http.cookie contains "a"',
  })
  assert.deepEqual([page.events, page.matched, page.outcomes.undecided], [2, 0, 1])
  assert.deepEqual(
    page.examples.map(({ unknownFields }) => unknownFields),
    [['http.cookie']],
  )
})

test('events come in pages, newest first, with few examples of each outcome', async () => {
  const count = previewLimits.pageEvents + 3
  const events = Array.from({ length: count }, (_, n) => event({ RayID: n.toString(16).padStart(16, '0') }))
  const zone = (zones + 1).toString(16).padStart(32, '0')
  const first = await preview(events, skipOf({ rulesets: 'all' }))
  assert.ok(first.next !== undefined)
  let seen = first.events
  for (let page = first; page.next !== undefined; seen += page.events)
    page = await previewPage(store, zone, {
      range: { sinceMs: startMs - 1000, untilMs: startMs + 1000 },
      expression: 'true',
      lists: {},
      skip: { rulesets: 'all', rules: {}, targets: [] },
      lastRules: [last],
      before: page.next,
    })
  assert.equal(seen, count)
  assert.equal(first.examples.length, previewLimits.examplesPerOutcome)
  assert.equal(first.examples[0]!.ray, (count - 1).toString(16).padStart(16, '0'))
})
