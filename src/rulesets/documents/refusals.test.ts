import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryPointExists, entryPointNotFound } from '../problems.ts'
import {
  accepted,
  check,
  contextOf,
  general,
  problemOf,
  type Row,
  requestRuleset,
} from '../testing/documents.ts'
import { checkPhase } from './availability.ts'
import {
  addRule,
  createRuleset,
  deleteRule,
  patchRule,
  replaceEntryPoint,
  replaceRuleset,
} from './documents.ts'

const verdict = '6179ae15870a4bb7b2d480d4843b323c'
const custom = 'http_request_firewall_custom'
const managed = 'http_request_firewall_managed'
const logFields = 'http_log_custom_fields'
const rule = { action: 'block', expression: 'true' }

test('create', () => {
  // More than the validator lists.
  const others = {
    autominify: { css: false, html: false, js: false },
    bic: true,
    fonts: true,
    mirage: true,
    rocket_loader: true,
    server_side_excludes: true,
    sxg: true,
    hotlink_protection: true,
    content_converter: true,
  }
  const base = { kind: 'zone', name: 'x', phase: custom }
  const rows: readonly Row[] = [
    [null, 20200, undefined, 'invalid JSON: the body must be an object'],
    [[], 20200, undefined, 'invalid JSON: the body must be an object'],
    [{ ...base, colour: 1 }, 20201, '/colour', 'invalid JSON: unknown field "colour"'],
    [{ ...base, 'a/b~': 1 }, 20201, '/a~1b~0', 'invalid JSON: unknown field "a/b~"'],
    [{ ...base, name: undefined }, 20202, '/name', general('', 'name', 'the name cannot be blank')],
    [{ ...base, kind: null }, 20202, '/kind', general('', 'kind', 'the kind cannot be blank')],
    [{ kind: 'zone', name: 'x' }, 20202, '/phase', general('', 'phase', 'the phase cannot be blank')],
    [{ ...base, name: 5 }, 20203, '/name', general('5', 'name', 'it must be a string')],
    [
      { ...base, kind: 'custom', phase: 'http_request_transform' },
      20203,
      '/phase',
      general('http_request_transform', 'phase', 'no rule can execute custom rulesets in it'),
    ],
    [
      { ...base, kind: 'managed' },
      20203,
      '/kind',
      general('managed', 'kind', 'managed rulesets cannot be created'),
    ],
    [{ ...base, kind: 'area' }, 20203, '/kind', general('area', 'kind', 'it must be custom, root or zone')],
    [
      { ...base, kind: 'root' },
      20203,
      '/kind',
      general('root', 'kind', 'root rulesets can only be created at the account level'),
    ],
    [
      { ...base, phase: 'http_request_sbfm' },
      20206,
      '/phase',
      general(
        'http_request_sbfm',
        'phase',
        'it has no meaning on a self-hosted edge: there is no bot management behind it; SLUICE_NOT_ENFORCED=keep stores it without effect',
      ),
    ],
    [
      {
        ...base,
        phase: 'http_config_settings',
        rules: [{ ...rule, action: 'set_config', action_parameters: others }],
      },
      20206,
      '/rules/0/action_parameters/fonts',
      general(
        'fonts',
        'action_parameters',
        'it has no meaning on a self-hosted edge: pages and images go through as the origin made them; SLUICE_NOT_ENFORCED=keep stores it without effect',
      ),
    ],
    [
      { ...base, phase: 'http_request' },
      20203,
      '/phase',
      general('http_request', 'phase', 'it is not the name of a phase'),
    ],
    [{ ...base, rules: {} }, 20203, '/rules', general('{}', 'rules', 'it must be an array')],
    [{ ...base, rules: [rule, null] }, 20203, '/rules/1', general('null', 'rules', 'it must be an object')],
    [{ ...base, description: 1 }, 20203, '/description', general('1', 'description', 'it must be a string')],
    [
      { ...base, rules: Array(1001).fill(rule) },
      50001,
      '/rules',
      `exceeded the maximum number of rules in the phase ${custom}: 1001 out of 1000`,
    ],
  ]
  check(rows, body => createRuleset(body, contextOf('zone')))
  const account: readonly Row[] = [
    [base, 20203, '/kind', general('zone', 'kind', 'zone rulesets can only be created at the zone level')],
    [
      { ...base, kind: 'root', phase: logFields },
      20203,
      '/phase',
      general(logFields, 'phase', 'the phase exists only at the zone level'),
    ],
    [
      { ...base, kind: 'root', rules: [rule] },
      20016,
      '/rules/0/action',
      general(
        'block',
        'action',
        `it is not possible to use the block action in a ruleset with phase ${custom} and kind root; possible are execute, skip`,
      ),
    ],
    [
      { ...base, kind: 'root', rules: [{ ...rule, action: 'execute' }] },
      20221,
      '/rules/0/expression',
      general(
        'true',
        'expression',
        'at the account level the expression of execute rules must end with and cf.zone.plan eq "ENT", what stands before it in parentheses',
      ),
    ],
  ]
  check(account, body => createRuleset(body, contextOf('account')))
  assert.ok(createRuleset({ ...base, rules: Array(1000).fill(rule) }, contextOf('zone')).ok)
})

test('rules', () => {
  const rows: readonly (readonly [
    phase: string,
    rule: object,
    code: number,
    pointer: string,
    message: string | RegExp,
  ])[] = [
    [custom, { ...rule, colour: 1 }, 20201, '/colour', 'invalid JSON: unknown field "colour"'],
    [
      custom,
      { ...rule, position: { index: 1 } },
      20201,
      '/position',
      'invalid JSON: unknown field "position"',
    ],
    [custom, { expression: 'true' }, 20202, '/action', general('', 'action', 'the action cannot be blank')],
    [
      custom,
      { expression: 'true', action_parameters: {} },
      20212,
      '/action',
      'action is required for action parameters',
    ],
    [custom, { ...rule, action: 'explode' }, 20204, '/action', 'unknown variant for action: explode'],
    [
      custom,
      { ...rule, action: 'set_cache_settings' },
      20206,
      '/action',
      general(
        'set_cache_settings',
        'action',
        'it has no meaning on a self-hosted edge: the edge keeps no cache',
      ),
    ],
    [
      custom,
      { ...rule, action: 'log_custom_field' },
      20016,
      '/action',
      general(
        'log_custom_field',
        'action',
        `it is not possible to use the log_custom_field action in a ruleset with phase ${custom} and kind zone; possible are block, challenge, js_challenge, log, managed_challenge, execute, skip`,
      ),
    ],
    [managed, rule, 20016, '/action', /^'block' is not a valid value for action because it is not possible/],
    [
      custom,
      { action: 'block' },
      20125,
      '/expression',
      general('', 'expression', 'the expression cannot be blank'),
    ],
    [
      custom,
      { action: 'block', expression: ' \n' },
      20125,
      '/expression',
      general('', 'expression', 'the expression cannot be blank'),
    ],
    [
      custom,
      { action: 'block', expression: 5 },
      20203,
      '/expression',
      general('5', 'expression', 'it must be a string'),
    ],
    [
      custom,
      { action: 'block', expression: 'htp.host eq "a"' },
      20205,
      '/expression',
      general(
        'htp.host eq "a"',
        'expression',
        'could not parse filter expression: Filter parsing error (1:1):\nhtp.host eq "a"\n^^^^^^^^ unknown identifier (did you mean http.host?)\n',
      ),
    ],
    [
      custom,
      { action: 'block', expression: 'x'.repeat(4097) },
      20205,
      '/expression',
      /exceeds the maximum of 4096 characters/,
    ],
    [
      custom,
      { action: 'block', expression: 'y'.repeat(1_000_000) },
      20205,
      '/expression',
      /^.{0,700}exceeds the maximum of 4096 characters/s,
    ],
    [
      custom,
      { ...rule, enabled: 'yes' },
      20203,
      '/enabled',
      general('yes', 'enabled', 'it must be true or false'),
    ],
    [custom, { ...rule, ref: 'r'.repeat(4097) }, 20203, '/ref', /it is longer than 4096 characters/],
    [custom, { ...rule, description: 'd'.repeat(4097) }, 20203, '/description', /longer than 4096/],
    [custom, { ...rule, ['k'.repeat(5000)]: 1 }, 20201, `/${'k'.repeat(991)}`, /^.{0,300}$/],
    [
      custom,
      { action: 'skip', expression: 'true', action_parameters: { rules: { ['z'.repeat(5000)]: 'x' } } },
      20203,
      `/action_parameters/rules/${'z'.repeat(967)}`,
      /^.{0,500}$/,
    ],
    [custom, { ...rule, action: 'a'.repeat(5000) }, 20204, '/action', /^.{0,300}$/],
    [custom, { ...rule, ref: '' }, 20202, '/ref', general('', 'ref', 'the ref cannot be blank')],
    [
      custom,
      { ...rule, logging: { enabled: true } },
      20018,
      '/logging',
      general(
        '{"enabled":true}',
        'logging',
        'logging is only possible with the skip action and not with block',
      ),
    ],
    [
      custom,
      { ...rule, ratelimit: {} },
      20219,
      '/ratelimit',
      general('', 'ratelimit', `it is not possible to limit rates in the phase ${custom}`),
    ],
    [
      custom,
      { ...rule, action: 'log', action_parameters: { response: {} } },
      20201,
      '/action_parameters/response',
      'invalid JSON: unknown field "response"',
    ],
    [
      custom,
      { ...rule, action_parameters: [] },
      20203,
      '/action_parameters',
      general('[]', 'action_parameters', 'it must be an object'),
    ],
  ]
  for (const [phase, given, code, pointer, message] of rows) {
    const rules = [{ id: undefined, ...given }].map(({ id: _, ...entry }) => entry)
    check([[{ rules }, code, `/rules/0${pointer}`, message]], body =>
      replaceEntryPoint(undefined, phase as typeof custom, body, contextOf('zone')),
    )
  }
})

test('put by id and by phase', () => {
  const context = contextOf('zone')
  const current = accepted(
    createRuleset(
      {
        kind: 'zone',
        name: 'x',
        phase: custom,
        rules: [
          { ...rule, ref: 'a' },
          { ...rule, ref: 'b' },
        ],
      },
      context,
    ),
  )
  const [a, b] = current.rules.map(({ id }) => id)
  const rows: readonly Row[] = [
    [{ kind: 'root' }, 20215, '/kind', general('root', 'kind', 'the kind of a ruleset cannot be changed')],
    [{ name: 'y' }, 20215, '/name', general('y', 'name', 'the name of a ruleset cannot be changed')],
    [
      { phase: managed },
      20215,
      '/phase',
      general(managed, 'phase', 'the phase of a ruleset cannot be changed'),
    ],
    [{ colour: 1 }, 20201, '/colour', 'invalid JSON: unknown field "colour"'],
    [
      { rules: [{ id: a }, { id: 'f'.repeat(32) }] },
      20208,
      '/rules/1/id',
      general('f'.repeat(32), 'id', 'the ruleset has no rule with this id'),
    ],
    [
      { rules: [{ id: a }, { id: a }] },
      20209,
      '/rules/1/id',
      general(a!, 'id', 'another rule of the ruleset has it'),
    ],
    [
      {
        rules: [
          { ...rule, ref: 'z' },
          { ...rule, ref: 'z' },
        ],
      },
      20209,
      '/rules/1/ref',
      general('z', 'ref', 'another rule of the ruleset has it'),
    ],
    [
      { rules: [{ id: a }, { ...rule, id: b, ref: 'a' }] },
      20209,
      '/rules/1/ref',
      general('a', 'ref', 'another rule of the ruleset has it'),
    ],
    [{ rules: [{ id: a, enabled: false }] }, 20202, '/rules/0/action', /cannot be blank/],
  ]
  check(rows, body => replaceRuleset(current, body, context))
  const byPhase: readonly Row[] = ['kind', 'phase', 'id', 'version', 'last_updated', 'source'].map(
    name => [{ [name]: 'zone' }, 20201, `/${name}`, `invalid JSON: unknown field "${name}"`] as const,
  )
  check(byPhase, body => replaceEntryPoint(current, custom, body, context))
  check([[{}, 20203, undefined, /only at the zone level/]], body =>
    replaceEntryPoint(undefined, logFields, body, contextOf('account')),
  )
})

test('add, patch and delete', () => {
  const context = contextOf('zone')
  const current = accepted(
    createRuleset({ kind: 'zone', name: 'x', phase: custom, rules: [{ ...rule, ref: 'a' }, rule] }, context),
  )
  const id = current.rules[1]!.id
  const positions: readonly Row[] = [
    [{}, 20207, '/position', general('{}', 'position', 'it must have exactly one of before, after, index')],
    [{ before: '', index: 1 }, 20207, '/position', /exactly one/],
    [{ first: true }, 20201, '/position/first', /unknown field "first"/],
    [{ index: 0 }, 20207, '/position/index', general('0', 'index', 'it must be from 1 to 2')],
    [{ index: 3 }, 20207, '/position/index', general('3', 'index', 'it must be from 1 to 2')],
    [{ index: 1.5 }, 20207, '/position/index', /an integer/],
    [
      { before: 'absent' },
      20207,
      '/position/before',
      general('absent', 'before', 'the ruleset has no other rule with this id'),
    ],
    [{ after: id }, 20207, '/position/after', /no other rule/],
  ]
  check(positions, position => patchRule(current, id, { position }, context))
  check([[{ ...rule, position: { index: 4 } }, 20207, '/position/index', /from 1 to 3/]], body =>
    addRule(current, body, context),
  )
  const both: readonly Row[] = [
    [{ ...rule, ref: 'a' }, 20209, '/ref', general('a', 'ref', 'another rule of the ruleset has it')],
    [{ action: 'block' }, 20125, '/expression', general('', 'expression', 'the expression cannot be blank')],
    [{ action_parameters: {} }, 20212, '/action', 'action is required for action parameters'],
    [{}, 20202, '/action', /cannot be blank/],
    [{ enabled: false }, 20202, '/action', /cannot be blank/],
    [{ ...rule, rules: [] }, 20201, '/rules', /unknown field/],
  ]
  check(both, body => addRule(current, body, context))
  check(both, body => patchRule(current, id, body, context))
  const full = { ...current, rules: Array(1000).fill(current.rules[0]) }
  check([[rule, 50001, undefined, /1001 out of 1000/]], body => addRule(full, body, context))
  const missing: readonly Row[] = [[rule, 20218, undefined, 'could not find rule with id absent']]
  check(missing, body => patchRule(current, 'absent', body, context), 404)
  check(missing, () => deleteRule(current, 'absent', context), 404)
})

test('managed rulesets are not changed', () => {
  const context = contextOf('account')
  const current = { ...requestRuleset, scope: context.scope }
  const rows: readonly Row[] = [[{}, 20213, undefined, 'managed rulesets cannot be changed']]
  check(rows, body => replaceRuleset(current, body, context))
  check(rows, body => addRule(current, body, context))
  check(rows, body => patchRule(current, verdict, body, context))
  check(rows, () => deleteRule(current, verdict, context))
})

test('problems that the API raises itself', () => {
  assert.deepEqual(entryPointExists('zone', logFields), {
    status: 400,
    code: 20217,
    message: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${logFields}`,
    pointer: '/kind',
  })
  assert.deepEqual(entryPointNotFound(custom), {
    status: 404,
    code: 10003,
    message: `could not find entrypoint ruleset in the ${custom} phase`,
  })
  assert.equal(accepted(checkPhase(custom)), custom)
  assert.equal(problemOf(checkPhase('ddos_l7')).code, 20206)
  assert.equal(problemOf(checkPhase('nonsense')).code, 20203)
})
