import assert from 'node:assert/strict'
import { test } from 'node:test'
import { owaspRequestRulesetId as owasp, owaspResponseRulesetId } from '../managed/owasp.ts'
import { contextOf, ruleId } from '../testing/documents.ts'
import {
  acceptParameters,
  customRuleset,
  type ParameterRow,
  refuseParameters,
} from '../testing/parameters.ts'

const custom = { phase: 'http_request_firewall_custom', action: 'skip' } as const
const managed = { phase: 'http_request_firewall_managed', action: 'skip' } as const
const unknown = '0123456789abcdef0123456789abcdef'
const sqli = ruleId(942100)

test('skip: stored parameters', () => {
  const inCustom = [
    { ruleset: 'current' },
    { phases: ['http_ratelimit', 'http_request_sbfm', 'http_request_firewall_managed'], ruleset: 'current' },
    { products: ['bic', 'hot', 'rateLimit', 'securityLevel', 'uaBlock', 'waf', 'zoneLockdown'] },
    { phase: 'current', products: ['waf'] },
  ]
  const inManaged = [
    { ruleset: 'current' },
    { rulesets: [owasp] },
    { rules: { [owasp]: [sqli, ruleId(920100)] }, rulesets: [owasp] },
    { targets: [{ rule: sqli, collection: 'ARGS', key: 'q' }], rules: { [owasp]: [sqli] } },
    { targets: [{ tag: 'attack-sqli', collection: 'REQUEST_BODY', ruleset: owasp }] },
    { targets: [{ tag: 'attack-sqli', collection: 'REQUEST_COOKIES', key_pattern: '^_ga(?:_|$)' }] },
    { targets: [{ rule: sqli, ruleset: owasp, collection: 'ARGS_NAMES', json_path: '$.items[*].id' }] },
  ]
  for (const [asked, parameters] of [
    [custom, inCustom],
    [managed, inManaged],
  ] as const) {
    const rules = acceptParameters(asked, ...parameters)
    assert.deepEqual(
      rules.map(rule => rule.actionParameters),
      parameters,
    )
    assert.ok(rules.every(rule => rule.logging?.enabled === true))
  }
  const asked = { ...custom, more: { logging: { enabled: false } } }
  assert.deepEqual(acceptParameters(asked, { ruleset: 'current' })[0]!.logging, { enabled: false })
})

test('skip: refusals', () => {
  refuseParameters(custom, [
    [null, 20113, '', 'action parameters are required for the skip action'],
    [{}, 20113, '', 'action parameters are required for the skip action'],
    [{ ruleset: 'next' }, 20203, '/ruleset', /^'next' .* it must be current$/],
    [
      { ruleset: 'current', phase: 'current' },
      20220,
      '/ruleset',
      'phase and ruleset cannot be skipped by one rule',
    ],
    [{ phases: ['http_ratelimit'], phase: 'current' }, 20220, '/phases', /phase and phases cannot/],
    [{ phases: [] }, 20203, '/phases', /must not be empty/],
    [{ phases: ['http_request_transform'] }, 20203, '/phases/0', /must be one of http_ratelimit/],
    [{ products: ['WAF'] }, 20203, '/products/0', /must be one of bic/],
    [{ id: owasp }, 20201, '/id', 'invalid JSON: unknown field "id"'],
    [{ version: 'latest' }, 20201, '/version', /unknown field "version"/],
    [{ rules: { [owasp]: [sqli] } }, 20220, '/rules', /can be skipped in http_request_firewall_managed/],
    [{ rulesets: [owasp] }, 20220, '/rulesets/0', /no ruleset with this id to execute in the phase/],
  ])
  refuseParameters(managed, [
    [{ phases: ['http_ratelimit'] }, 20220, '/phases', /in http_request_firewall_custom only/],
    [{ phase: 'current' }, 20220, '/phase', /in http_request_firewall_custom only/],
    [{ products: ['waf'] }, 20220, '/products', /in http_request_firewall_custom only/],
    [{ rulesets: [unknown] }, 20220, '/rulesets/0', /no ruleset with this id/],
    [{ rulesets: ['OWASP'] }, 20203, '/rulesets/0', /32 lower-case hex digits/],
    [{ rulesets: [owaspResponseRulesetId] }, 20220, '/rulesets/0', /no ruleset with this id/],
    [{ rulesets: [owasp], ruleset: 'current' }, 20220, '/rulesets', /ruleset and rulesets cannot/],
    [{ ruleset: 'current', rules: { [owasp]: [sqli] } }, 20220, '/rules', /ruleset and rules cannot/],
    [{ rules: {} }, 20203, '/rules', /must not be empty/],
    [{ rules: { [owasp]: [] } }, 20203, `/rules/${owasp}`, /must not be empty/],
    [{ rules: { [owasp]: `${sqli},${sqli}` } }, 20203, `/rules/${owasp}`, /an array/],
    [{ rules: { [unknown]: [sqli] } }, 20220, `/rules/${unknown}`, /no ruleset with this id/],
    [
      { rules: { [owasp]: [sqli, ruleId(951100)] } },
      20220,
      `/rules/${owasp}/1`,
      new RegExp(`the ruleset ${owasp} has no rule with this id`),
    ],
  ])
  const account = { ...custom, context: contextOf('account'), more: { expression: 'cf.zone.plan eq "ENT"' } }
  refuseParameters(account, [[{ phase: 'current' }, 20220, '/phase', /at the zone level only/]])
})

test('skip: targets', () => {
  const target = (members: object) => ({ targets: [{ rule: sqli, collection: 'ARGS', ...members }] })
  const rows: readonly (readonly [object, number, string, RegExp])[] = [
    [{ tag: 'attack-sqli' }, 20220, '', /exactly one of rule and tag/],
    [{ rule: null }, 20220, '', /exactly one of rule and tag/],
    [{ rule: unknown }, 20220, '/rule', /no managed ruleset that is meant has a rule with this id/],
    [{ rule: ruleId(951100) }, 20220, '/rule', /no managed ruleset/],
    [{ ruleset: unknown }, 20220, '/ruleset', /no ruleset with this id/],
    [{ collection: null }, 20202, '/collection', /cannot be blank/],
    [{ collection: 'args' }, 20203, '/collection', /must be one of ARGS,/],
    [{ collection: 'TX' }, 20203, '/collection', /must be one of ARGS,/],
    [{ key: '' }, 20202, '/key', /cannot be blank/],
    [{ key: 'a', key_pattern: 'a' }, 20220, '', /at most one of key, key_pattern and json_path/],
    [{ collection: 'REQUEST_URI', key: 'a' }, 20220, '/key', /the values of REQUEST_URI have no keys/],
    [{ key_pattern: '(' }, 20220, '/key_pattern', /'\('/],
    [{ json_path: 'a..b' }, 20220, '/json_path', /no path such as/],
    [
      { json_path: 'a', collection: 'REQUEST_COOKIES' },
      20220,
      '/json_path',
      /values of JSON bodies are in ARGS/,
    ],
    [{ colour: 1 }, 20201, '/colour', /unknown field/],
  ]
  refuseParameters(
    managed,
    rows.map(
      ([members, code, pointer, message]): ParameterRow => [
        target(members),
        code,
        `/targets/0${pointer}`,
        message,
      ],
    ),
  )
  refuseParameters(managed, [
    [{ targets: [] }, 20203, '/targets', /must not be empty/],
    [
      { targets: Array(101).fill({ rule: sqli, collection: 'ARGS' }) },
      20203,
      '/targets',
      /more than 100 entries/,
    ],
    [{ ...target({}), ruleset: 'current' }, 20220, '/targets', /ruleset and targets cannot/],
  ])
  refuseParameters(custom, [
    [target({}), 20220, '/targets', /can be skipped in http_request_firewall_managed/],
  ])
  acceptParameters(managed, { targets: Array(100).fill({ rule: sqli, collection: 'ARGS' }) })
})

test('skip: custom rulesets of the phase', () => {
  const shared = customRuleset(contextOf('zone'), custom.phase, { action: 'log', expression: 'ssl' })
  const asked = { ...custom, context: contextOf('zone', [shared]) }
  assert.deepEqual(acceptParameters(asked, { rulesets: [shared.id] })[0]!.actionParameters, {
    rulesets: [shared.id],
  })
  refuseParameters({ ...asked, phase: 'http_ratelimit' }, [
    [{ rulesets: [shared.id] }, 20220, '/rulesets/0', /no ruleset/],
  ])
})
