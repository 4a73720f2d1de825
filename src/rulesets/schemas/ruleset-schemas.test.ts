import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/schema'
import { actionParameters } from '../actions/table.ts'
import { availableActions } from '../documents/availability.ts'
import { createRuleset } from '../documents/documents.ts'
import { owaspRequestRulesetId as owasp } from '../managed/owasp.ts'
import { accepted, contextOf } from '../testing/documents.ts'
import { rulesetSchemas } from './ruleset-schemas.ts'

const accepts = (schema: object, value: unknown) => Compile(schema).Check(value)

test('every action is described and checked', () => {
  assert.deepEqual(Object.keys(rulesetSchemas.parameters).toSorted(), availableActions)
  assert.deepEqual(Object.keys(actionParameters).toSorted(), availableActions)
})

test('the check accepts what the description allows', () => {
  const limit = { characteristics: ['ip.src'], period: 60, requests_per_period: 5 }
  const rows: readonly (readonly [phase: string, rule: object])[] = [
    [
      'http_request_sanitize',
      { action: 'execute', action_parameters: { id: '70339d97bdb34195bbf054b1ebe81f76' } },
    ],
    [
      'http_request_dynamic_redirect',
      { action: 'redirect', action_parameters: { from_value: { target_url: { value: '/a' } } } },
    ],
    ['http_request_transform', { action: 'rewrite', action_parameters: { uri: { query: { value: '' } } } }],
    ['http_config_settings', { action: 'set_config', action_parameters: { ssl: 'strict' } }],
    ['http_request_origin', { action: 'route', action_parameters: { host_header: 'a' } }],
    ['http_request_firewall_custom', { action: 'block', action_parameters: {}, ref: 'a', description: '' }],
    [
      'http_request_firewall_custom',
      { action: 'skip', action_parameters: { ruleset: 'current' }, logging: { enabled: false } },
    ],
    ['http_ratelimit', { action: 'managed_challenge', ratelimit: limit }],
    ['http_request_firewall_managed', { action: 'execute', action_parameters: { id: owasp } }],
    [
      'http_response_headers_transform',
      { action: 'rewrite', action_parameters: { headers: { a: { operation: 'remove' } } } },
    ],
    [
      'http_log_custom_fields',
      { action: 'log_custom_field', action_parameters: { cookie_fields: [{ name: 'a' }] } },
    ],
  ]
  for (const [phase, rule] of rows) {
    const whole = { expression: 'true', ...rule }
    const body = { kind: 'zone', name: 'x', phase, description: '', rules: [whole] }
    accepted(createRuleset(body, contextOf('zone')))
    assert.ok(accepts(rulesetSchemas.createBody, body), JSON.stringify(rule))
    assert.ok(accepts(rulesetSchemas.ruleCreate, { ...whole, position: { index: 1 } }), JSON.stringify(rule))
  }
})

test('bodies with partial definitions', () => {
  const id = 'f'.repeat(32)
  assert.ok(accepts(rulesetSchemas.entryPointBody, { rules: [{ id }] }))
  assert.ok(!accepts(rulesetSchemas.entryPointBody, { rules: [], kind: 'zone' }))
  assert.ok(accepts(rulesetSchemas.replaceBody, { kind: 'zone', description: '' }))
  assert.ok(accepts(rulesetSchemas.ruleUpdate, { position: { before: '' } }))
  assert.ok(!accepts(rulesetSchemas.ruleUpdate, { position: { before: '', index: 1 } }))
  assert.ok(!accepts(rulesetSchemas.ruleCreate, { action: 'block' }))
  assert.ok(!accepts(rulesetSchemas.ruleCreate, { action: 'skip', expression: 'true' }))
})

test('the description is plain JSON Schema', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(rulesetSchemas.ruleset)).required, [
    'id',
    'name',
    'description',
    'kind',
    'version',
    'last_updated',
    'phase',
    'rules',
  ])
})
