import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
import type { PlanRule } from '../../rulesets/plan/plan.ts'
import { nowhere } from '../../rulesets/testing/request-view.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, planPhase, rule, startEdge, startOrigin, zoneId } from '../testing/fixture.ts'

const fieldNames = new Set(
  firewallEvents.fields.filter(field => field.from !== 'none').map(field => field.name),
)

test('each action of a rule is one event, in order, with the fields of the dataset', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const logs = rule({ kind: 'action', action: 'log' }, () => true, 'custom-1')
  const skip: PlanRule = rule(
    {
      kind: 'skip',
      current: undefined,
      phases: new Set(),
      rulesets: new Set(),
      products: new Set(),
      excepts: false,
      logs: true,
    },
    () => true,
    'skip-1',
  )
  const managed = [rule(execution(fakeProgram()), () => true, 'execute-1')]
  const plan = planFor(origin.url, { custom: [logs, skip], managed })
  const { url, events, records } = await startEdge(t, plan, {
    geo: () => ({ ...nowhere, country: 'NZ', asnum: 64500 }),
  })
  await (
    await fetch(`${url}/attack?a=%27`, {
      headers: { referer: 'https://ref.test/p/q?x=1#frag', 'user-agent': 'curl/8' },
    })
  ).arrayBuffer()
  await eventually(() => events.length === 3)
  assert.equal(records.length, 1)
  for (const event of events) for (const name of Object.keys(event)) assert.ok(fieldNames.has(name), name)
  const shown = events.map(event => [
    event['Action'],
    event['Source'],
    event['RuleID'],
    event['Ref'],
    event['Description'],
    event['MatchIndex'],
  ])
  assert.deepEqual(shown, [
    ['log', 'firewallcustom', 'custom-1', 'ref of custom-1', 'description of custom-1', 2],
    ['skip', 'firewallcustom', 'skip-1', 'ref of skip-1', 'description of skip-1', 1],
    ['block', 'firewallmanaged', 'last-rule', undefined, 'description of execute-1', undefined],
  ])
  const { Metadata, Datetime, RayID, ...rest } = events[2]!
  assert.deepEqual(events[0]!['Metadata'], {
    type: 'customer',
    ruleset_id: 'ruleset-1',
    ruleset_version: '1',
  })
  assert.deepEqual(Metadata, {
    type: 'managed',
    ruleset_id: 'managed-1',
    ruleset_version: '7',
    version: '7',
    score: 5,
    threshold: 5,
    rules: [{ id: 'id-of-942100', ref: '942100', score: 5, total: 5, target: 'REQUEST_URI' }],
  })
  assert.match(String(Datetime), /^\d{13}000000$/)
  assert.equal(RayID, records[0]!['RayID'])
  assert.deepEqual(rest, {
    Action: 'block',
    ClientASN: 64500,
    ClientCountry: 'nz',
    ClientIP: '127.0.0.1',
    ClientIPClass: 'noRecord',
    ClientRefererHost: 'ref.test',
    ClientRefererPath: '/p/q',
    ClientRefererQuery: '?x=1',
    ClientRefererScheme: 'https',
    ClientRequestHost: url.slice(7),
    ClientRequestMethod: 'GET',
    ClientRequestPath: '/attack',
    ClientRequestProtocol: 'HTTP/1.1',
    ClientRequestQuery: '?a=%27',
    ClientRequestScheme: 'http',
    ClientRequestUserAgent: 'curl/8',
    Description: 'description of execute-1',
    EdgeResponseStatus: 403,
    Kind: 'firewall',
    OriginatorRayID: '00',
    RuleID: 'last-rule',
    Source: 'firewallmanaged',
    ZoneName: 'site.test',
  })
})

test('a request without actions has no event', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const managed = [rule(execution(fakeProgram(), { threshold: 6 }))]
  const { url, events, records } = await startEdge(t, planFor(origin.url, { managed }))
  await (await fetch(`${url}/attack`)).arrayBuffer()
  await eventually(() => records.length === 1)
  assert.deepEqual(events, [])
})

test('rate limits have their own event source', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const limit = {
    keyOf: () => '',
    counts: () => true,
    countedAt: 'request',
    periodMs: 10_000,
    max: 0,
    mitigationMs: 0,
  } as const
  const request = [
    planPhase('http_ratelimit', {
      zone: [rule({ kind: 'action', action: 'block', limit }, undefined, zoneId)],
    }),
  ]
  const { url, events } = await startEdge(t, planFor(origin.url, { request }))
  await (await fetch(url)).arrayBuffer()
  await eventually(() => events.length === 1)
  const { Action, Source, RuleID, EdgeResponseStatus } = events[0]!
  assert.deepEqual([Action, Source, RuleID, EdgeResponseStatus], ['block', 'ratelimit', zoneId, 429])
})

const referers: readonly (readonly [string, readonly [string, string, string, string]])[] = [
  ['', ['unknown', '', '', '']],
  ['http://a', ['http', 'a', '', '']],
  ['http://a?b', ['http', 'a', '', '?b']],
  ['http://a#b', ['http', 'a', '', '']],
  ['/p?q', ['unknown', '', '/p', '?q']],
  ['http://a/p?q?r', ['http', 'a', '/p', '?q?r']],
]

test('the parts of a referer', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const plan = planFor(origin.url, { custom: [rule({ kind: 'action', action: 'log' })] })
  const { url, events } = await startEdge(t, plan)
  for (const [index, [referer, want]] of referers.entries()) {
    await (await fetch(url, { headers: referer === '' ? {} : { referer } })).arrayBuffer()
    await eventually(() => events.length === index + 1)
    const event = events[index]!
    assert.deepEqual(
      ['Scheme', 'Host', 'Path', 'Query'].map(part => event[`ClientReferer${part}`] ?? ''),
      want,
      referer,
    )
  }
})
