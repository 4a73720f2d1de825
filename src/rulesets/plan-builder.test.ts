import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Phase, Ruleset, Zone } from '../model/resource.ts'
import { replaceEntryPoint } from './documents.ts'
import { owaspRequestRulesetId, owaspResponseRulesetId, ruleIdsOf } from './managed.ts'
import type { PlanInput } from './plan.ts'
import { buildPlan } from './plan-builder.ts'
import type { RequestView } from './request-view.ts'
import { accepted, contextOf, managedById, problemOf, program } from './test-support.ts'

const zone: Zone = {
  id: 'f'.repeat(32),
  accountId: 'e'.repeat(32),
  name: 'example.com',
  originUrl: 'http://127.0.0.1:9000',
  paused: false,
  createdOn: '',
  modifiedOn: '',
}

const view: RequestView = {
  method: 'GET',
  uri: '/a',
  path: '/a',
  query: '',
  host: 'example.com',
  scheme: 'http',
  version: 'HTTP/1.1',
  headers: [],
  clientIp: '192.0.2.1',
  country: '',
  timestampSec: 0,
}

function entryPoint(level: 'zone' | 'account', phase: Phase, rules: readonly object[]): Ruleset {
  return accepted(replaceEntryPoint(undefined, phase, { rules }, contextOf(level)))
}

function inputOf(
  zoneEntryPoints: readonly Ruleset[],
  accountEntryPoints: readonly Ruleset[] = [],
): PlanInput {
  const managed: PlanInput['managed'] = (id, version) => {
    const ruleset = managedById(id, version)
    return ruleset && { ruleset, program }
  }
  return { zone, accountEntryPoints, zoneEntryPoints, managed }
}

const execute = (id: string, description: string, overrides: object = {}) => ({
  action: 'execute',
  expression: 'true',
  description,
  action_parameters: { id, overrides },
})

test('a zone without documents has an empty plan', () => {
  assert.deepEqual(accepted(buildPlan(inputOf([]))), {
    zone,
    custom: [],
    managed: [],
    response: [],
    logFields: { request: [], response: [], cookies: [] },
  })
})

test('rules keep their order, disabled ones are left out, expressions run', () => {
  const response = { status_code: 451, content: 'no', content_type: 'text/plain' }
  const current = entryPoint('zone', 'http_request_firewall_custom', [
    { action: 'log', expression: 'http.request.uri.path eq "/a"', description: 'first' },
    { action: 'block', expression: 'false', enabled: false },
    { action: 'block', expression: 'http.request.uri.path eq "/b"', action_parameters: { response } },
  ])
  const { custom } = accepted(buildPlan(inputOf([current])))
  assert.deepEqual(
    custom.map(({ matches, ...rule }) => ({ ...rule, matches: matches(view) })),
    [
      {
        id: current.rules[0]!.id,
        rulesetId: current.id,
        rulesetVersion: '1',
        description: 'first',
        effect: { kind: 'action', action: 'log' },
        matches: true,
      },
      {
        id: current.rules[2]!.id,
        rulesetId: current.id,
        rulesetVersion: '1',
        description: '',
        effect: {
          kind: 'action',
          action: 'block',
          response: { status: 451, content: 'no', contentType: 'text/plain' },
        },
        matches: false,
      },
    ],
  )
})

test('managed executions: account before zone, overrides resolved, program shared', () => {
  const phase = 'http_request_firewall_managed'
  const overrides = {
    rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25, action: 'log' }],
  }
  const plan = accepted(
    buildPlan(
      inputOf(
        [
          entryPoint('zone', phase, [execute(owaspRequestRulesetId, 'zone', overrides)]),
          entryPoint('zone', 'http_response_firewall_managed', [execute(owaspResponseRulesetId, 'response')]),
        ],
        [entryPoint('account', phase, [execute(owaspRequestRulesetId, 'account')])],
      ),
    ),
  )
  assert.deepEqual(
    plan.managed.map(rule => rule.description),
    ['account', 'zone'],
  )
  assert.deepEqual(plan.managed[1]!.effect, {
    kind: 'execute',
    rulesetId: owaspRequestRulesetId,
    rulesetVersion: '3',
    program,
    mask: { enabled: Uint8Array.from([1, 1, 1, 1, 1, 1, 0, 1]) },
    threshold: 25,
    action: 'log',
    lastRuleId: '6179ae15870a4bb7b2d480d4843b323c',
    acts: true,
    ruleIds: ruleIdsOf(program),
  })
  const [response] = plan.response
  assert.ok(response!.effect.kind === 'execute')
  assert.deepEqual(
    [response!.effect.threshold, [...response!.effect.mask.enabled]],
    [5, [1, 0, 0, 0, 0, 0, 1, 1]],
  )
})

test('log fields of all enabled rules, each name once', () => {
  const rule = (parameters: object, enabled = true) => ({
    action: 'log_custom_field',
    expression: 'true',
    enabled,
    action_parameters: parameters,
  })
  const current = entryPoint('zone', 'http_log_custom_fields', [
    rule({ request_fields: [{ name: 'accept' }, { name: 'x-a' }], cookie_fields: [{ name: 'Sid' }] }),
    rule({ request_fields: [{ name: 'x-off' }] }, false),
    rule({ request_fields: [{ name: 'x-a' }, { name: 'x-b' }], response_fields: [{ name: 'server' }] }),
  ])
  assert.deepEqual(accepted(buildPlan(inputOf([current]))).logFields, {
    request: ['accept', 'x-a', 'x-b'],
    response: ['server'],
    cookies: ['Sid'],
  })
})

test('a plan that cannot be built is a problem', () => {
  const phase = 'http_request_firewall_managed'
  const current = entryPoint('zone', phase, [execute(owaspRequestRulesetId, 'zone')])
  const gone = problemOf(buildPlan({ ...inputOf([current]), managed: () => undefined }))
  assert.deepEqual([gone.status, gone.code], [400, 20216])
  assert.match(gone.message, /managed ruleset 4814384a9e5d4991b9815dcfc25d2f1f version latest/)
  const broken = { ...current, rules: [{ ...current.rules[0]!, expression: 'nonsense' }] }
  assert.equal(problemOf(buildPlan(inputOf([broken]))).code, 20205)
})
