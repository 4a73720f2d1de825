import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPhase } from './availability.ts'
import {
  addRule,
  createRuleset,
  deleteRule,
  patchRule,
  replaceEntryPoint,
  replaceRuleset,
} from './documents.ts'
import { owaspRequestRulesetId as owasp, owaspResponseRulesetId } from './managed.ts'
import { entryPointExists, entryPointNotFound } from './problems.ts'
import { accepted, contextOf, problemOf, requestRuleset, ruleId } from './test-support.ts'

const verdict = '6179ae15870a4bb7b2d480d4843b323c'
const custom = 'http_request_firewall_custom'
const managed = 'http_request_firewall_managed'
const logFields = 'http_log_custom_fields'
const rule = { action: 'block', expression: 'true' }

/** Code, pointer and message of a refusal. */
type Row = readonly [body: unknown, code: number, pointer: string | undefined, message: string | RegExp]

function check(
  rows: readonly Row[],
  run: (body: unknown) => Parameters<typeof problemOf>[0],
  status = 400,
): void {
  for (const [body, code, pointer, message] of rows) {
    const problem = problemOf(run(body))
    assert.deepEqual(
      [problem.status, problem.code, problem.pointer],
      [status, code, pointer],
      `${JSON.stringify(body)} ${problem.message}`,
    )
    if (typeof message === 'string') assert.equal(problem.message, message)
    else assert.match(problem.message, message)
  }
}

const general = (value: string, field: string, reason: string) =>
  `'${value}' is not a valid value for ${field} because ${reason}`

test('create', () => {
  const base = { kind: 'zone', name: 'x', phase: custom }
  const rows: readonly Row[] = [
    [null, 20200, undefined, 'invalid JSON: the body must be an object'],
    [[], 20200, undefined, 'invalid JSON: the body must be an object'],
    [{ ...base, colour: 1 }, 20201, '/colour', 'invalid JSON: unknown field "colour"'],
    [{ ...base, 'a/b~': null }, 20201, '/a~1b~0', 'invalid JSON: unknown field "a/b~"'],
    [{ ...base, name: undefined }, 20202, '/name', general('', 'name', 'the name cannot be blank')],
    [{ ...base, kind: null }, 20202, '/kind', general('', 'kind', 'the kind cannot be blank')],
    [{ kind: 'zone', name: 'x' }, 20202, '/phase', general('', 'phase', 'the phase cannot be blank')],
    [{ ...base, name: 5 }, 20203, '/name', general('5', 'name', 'it must be a string')],
    [
      { ...base, kind: 'custom' },
      20206,
      '/kind',
      general('custom', 'kind', 'a custom ruleset is not available in this version'),
    ],
    [
      { ...base, kind: 'managed' },
      20203,
      '/kind',
      general('managed', 'kind', 'managed rulesets cannot be created'),
    ],
    [{ ...base, kind: 'area' }, 20203, '/kind', general('area', 'kind', 'it must be zone or root')],
    [
      { ...base, kind: 'root' },
      20203,
      '/kind',
      general('root', 'kind', 'root rulesets can only be created at the account level'),
    ],
    [
      { ...base, phase: 'http_ratelimit' },
      20206,
      '/phase',
      general('http_ratelimit', 'phase', 'the phase is not available in this version'),
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
        `it is not possible to use the block action in a ruleset with phase ${custom} and kind root`,
      ),
    ],
    [
      { ...base, kind: 'root', rules: [{ ...rule, action: 'execute' }] },
      20206,
      '/rules/0/action',
      general('execute', 'action', 'the execute action is not available in this version'),
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
      { ...rule, action: 'skip' },
      20206,
      '/action',
      general('skip', 'action', 'the skip action is not available in this version'),
    ],
    [
      custom,
      { ...rule, action: 'log_custom_field' },
      20016,
      '/action',
      general(
        'log_custom_field',
        'action',
        `it is not possible to use the log_custom_field action in a ruleset with phase ${custom} and kind zone`,
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
        'could not parse filter expression: Filter parsing error (1:1):\nhtp.host eq "a"\n^^^^^^^^ unknown identifier\n',
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
      { ...rule, enabled: 'yes' },
      20203,
      '/enabled',
      general('yes', 'enabled', 'it must be true or false'),
    ],
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
      20206,
      '/ratelimit',
      general('ratelimit', 'ratelimit', 'ratelimit is not available in this version'),
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

test('parameters of block', () => {
  const response = { status_code: 403, content: 'x', content_type: 'text/html' }
  const rows: readonly (readonly [parameters: object, code: number, pointer: string, message: RegExp])[] = [
    [{ answer: 1 }, 20201, '/answer', /unknown field "answer"/],
    [{ response: { ...response, x: 1 } }, 20201, '/response/x', /unknown field "x"/],
    [
      { response: { ...response, status_code: 399 } },
      20203,
      '/response/status_code',
      /^'399' .* from 400 to 499$/,
    ],
    [{ response: { ...response, status_code: 500 } }, 20203, '/response/status_code', /^'500'/],
    [{ response: { ...response, status_code: 403.5 } }, 20203, '/response/status_code', /an integer/],
    [{ response: { ...response, status_code: null } }, 20203, '/response/status_code', /^''/],
    [{ response: { ...response, content: '' } }, 20202, '/response/content', /cannot be blank/],
    [
      { response: { ...response, content: 'é'.repeat(1025) } },
      20203,
      '/response/content',
      /longer than 2048 bytes/,
    ],
    [
      { response: { ...response, content_type: 'image/png' } },
      20203,
      '/response/content_type',
      /must be one of text\/html/,
    ],
  ]
  for (const [parameters, code, pointer, message] of rows) {
    const body = { rules: [{ ...rule, action_parameters: parameters }] }
    check([[body, code, `/rules/0/action_parameters${pointer}`, message]], given =>
      replaceEntryPoint(undefined, custom, given, contextOf('zone')),
    )
  }
  for (const [status, content] of [
    [400, 'x'],
    [499, 'é'.repeat(1024)],
  ]) {
    const good = { response: { ...response, status_code: status, content } }
    accepted(
      replaceEntryPoint(
        undefined,
        custom,
        { rules: [{ ...rule, action_parameters: good }] },
        contextOf('zone'),
      ),
    )
  }
})

test('parameters of execute', () => {
  const unknown = '0123456789abcdef0123456789abcdef'
  const rows: readonly (readonly [
    parameters: object | null,
    code: number,
    pointer: string,
    message: string | RegExp,
  ])[] = [
    [null, 20113, '', 'action parameters are required for the execute action'],
    [{}, 20113, '', 'action parameters are required for the execute action'],
    [{ version: 'latest' }, 20202, '/id', /cannot be blank/],
    [{ id: unknown }, 20210, '/id', general(unknown, 'id', 'there is no managed ruleset with this id')],
    [{ id: 'owasp' }, 20210, '/id', general('owasp', 'id', 'there is no managed ruleset with this id')],
    [
      { id: owaspResponseRulesetId },
      20210,
      '/id',
      new RegExp(`the phase of the ruleset is http_response_firewall_managed and not ${managed}`),
    ],
    [
      { id: owasp, version: '99' },
      20210,
      '/version',
      general('99', 'version', 'the managed ruleset has no such version'),
    ],
    [{ id: owasp, version: 'newest' }, 20210, '/version', /no such version/],
    [{ id: owasp, version: 3 }, 20203, '/version', /must be a string/],
    [{ id: owasp, ruleset: 'current' }, 20201, '/ruleset', /unknown field/],
    [
      { id: owasp, matched_data: { public_key: 'x' } },
      20206,
      '/matched_data',
      general('matched_data', 'action_parameters', 'payload logging is not available in this version'),
    ],
    [{ id: owasp, overrides: { level: 1 } }, 20201, '/overrides/level', /unknown field "level"/],
    [{ id: owasp, overrides: { enabled: 1 } }, 20203, '/overrides/enabled', /true or false/],
    [
      { id: owasp, overrides: { action: 'score' } },
      20203,
      '/overrides/action',
      /^'score' .* an override takes one of block, challenge/,
    ],
    [
      { id: owasp, overrides: { sensitivity_level: 'low' } },
      20203,
      '/overrides/sensitivity_level',
      /only DDoS/,
    ],
    [{ id: owasp, overrides: { score_threshold: 5 } }, 20201, '/overrides/score_threshold', /unknown field/],
    [
      { id: owasp, overrides: { categories: [{ enabled: false }] } },
      20202,
      '/overrides/categories/0/category',
      /cannot be blank/,
    ],
    [
      { id: owasp, overrides: { categories: [{ category: 'a', score_threshold: 5 }] } },
      20201,
      '/overrides/categories/0/score_threshold',
      /unknown field/,
    ],
    [
      { id: owasp, overrides: { rules: [{ enabled: false }] } },
      20202,
      '/overrides/rules/0/id',
      /cannot be blank/,
    ],
    [
      {
        id: owasp,
        overrides: {
          rules: [
            { id: verdict, enabled: true },
            { id: unknown, enabled: false },
          ],
        },
      },
      20211,
      '/overrides/rules/1/id',
      general(unknown, 'id', `the ruleset ${owasp} has no rule with this id`),
    ],
    [
      { id: owasp, overrides: { rules: [{ id: ruleId(951100), enabled: false }] } },
      20211,
      '/overrides/rules/0/id',
      /has no rule/,
    ],
    [
      { id: owasp, overrides: { rules: [{ id: ruleId(942100), score_threshold: 5 }] } },
      20203,
      '/overrides/rules/0/score_threshold',
      /only the last rule/,
    ],
    [
      { id: owasp, overrides: { rules: [{ id: verdict, score_threshold: 0 }] } },
      20203,
      '/overrides/rules/0/score_threshold',
      /at least 1/,
    ],
    [
      { id: owasp, overrides: { rules: [{ id: verdict, score_threshold: '40' }] } },
      20203,
      '/overrides/rules/0/score_threshold',
      /an integer/,
    ],
    [
      { id: owasp, overrides: { rules: [{ id: verdict, score_threshold: 2.5 }] } },
      20203,
      '/overrides/rules/0/score_threshold',
      /an integer/,
    ],
    [
      { id: owasp, overrides: { rules: [{ id: verdict, action: 'allow' }] } },
      20203,
      '/overrides/rules/0/action',
      /^'allow'/,
    ],
    [
      { id: owasp, overrides: { rules: [{ id: verdict, sensitivity_level: 'low' }] } },
      20203,
      '/overrides/rules/0/sensitivity_level',
      /only DDoS/,
    ],
  ]
  for (const [parameters, code, pointer, message] of rows) {
    const body = { rules: [{ action: 'execute', expression: 'true', action_parameters: parameters }] }
    check([[body, code, `/rules/0/action_parameters${pointer}`, message]], given =>
      replaceEntryPoint(undefined, managed, given, contextOf('zone')),
    )
  }
  const lowest = { id: owasp, overrides: { rules: [{ id: verdict, score_threshold: 1 }] } }
  accepted(
    replaceEntryPoint(
      undefined,
      managed,
      { rules: [{ action: 'execute', expression: 'true', action_parameters: lowest }] },
      contextOf('zone'),
    ),
  )
})

test('parameters of log_custom_field', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `h${at}` }))
  const rows: readonly (readonly [
    parameters: object | null,
    code: number,
    pointer: string,
    message: string | RegExp,
  ])[] = [
    [null, 20113, '/action_parameters', 'action parameters are required for the log_custom_field action'],
    [{}, 20113, '/action_parameters', 'action parameters are required for the log_custom_field action'],
    [
      { request_fields: [], cookie_fields: null },
      20214,
      '/action_parameters',
      /at least one of request_fields, response_fields, cookie_fields must name a field/,
    ],
    [
      { request_fields: [{ name: 'Accept' }] },
      20214,
      '/action_parameters/request_fields/0/name',
      general('Accept', 'name', 'header names must be in lower case'),
    ],
    [
      { response_fields: [{ name: 'a' }, { name: 'Server' }] },
      20214,
      '/action_parameters/response_fields/1/name',
      /lower case/,
    ],
    [
      { request_fields: [{ name: 'a b' }] },
      20214,
      '/action_parameters/request_fields/0/name',
      /not the name of a header/,
    ],
    [
      { request_fields: [{ name: '' }] },
      20202,
      '/action_parameters/request_fields/0/name',
      /cannot be blank/,
    ],
    [{ request_fields: [{}] }, 20202, '/action_parameters/request_fields/0/name', /cannot be blank/],
    [{ request_fields: ['accept'] }, 20203, '/action_parameters/request_fields/0', /an object/],
    [{ request_fields: 'accept' }, 20203, '/action_parameters/request_fields', /an array/],
    [
      { cookie_fields: [{ name: 'a=b' }] },
      20214,
      '/action_parameters/cookie_fields/0/name',
      /not the name of a cookie/,
    ],
    [
      { cookie_fields: [{ name: 'x'.repeat(257) }] },
      20214,
      '/action_parameters/cookie_fields/0/name',
      /longer than 256 bytes/,
    ],
    [
      { request_fields: [{ name: 'a', preserve_duplicates: false }] },
      20201,
      '/action_parameters/request_fields/0/preserve_duplicates',
      /unknown field/,
    ],
    [
      { response_fields: [{ name: 'a', preserve_duplicates: true }] },
      20206,
      '/action_parameters/response_fields/0/preserve_duplicates',
      /not available in this version/,
    ],
    [
      { raw_response_fields: [{ name: 'a' }] },
      20206,
      '/action_parameters/raw_response_fields',
      /raw_response_fields is not available in this version/,
    ],
    [
      { transformed_request_fields: [{ name: 'a' }] },
      20206,
      '/action_parameters/transformed_request_fields',
      /not available/,
    ],
    [{ headers: [{ name: 'a' }] }, 20201, '/action_parameters/headers', /unknown field "headers"/],
    [
      { request_fields: names(21), cookie_fields: names(20) },
      20214,
      '',
      'exceeded the maximum number of custom fields in the zone: 41 out of 40',
    ],
  ]
  const body = (parameters: object | null) => ({
    rules: [{ action: 'log_custom_field', expression: 'true', action_parameters: parameters }],
  })
  const put = (given: unknown) => replaceEntryPoint(undefined, logFields, given, contextOf('zone'))
  for (const [parameters, code, pointer, message] of rows) {
    check([[body(parameters), code, pointer === '' ? '/rules' : `/rules/0${pointer}`, message]], put)
  }
  const full = {
    request_fields: names(20),
    response_fields: names(10),
    cookie_fields: [...names(9), { name: 'x'.repeat(256) }],
  }
  const current = accepted(put(body(full)))
  const more = { ...body({ cookie_fields: [{ name: 'AccountNumber' }] }).rules[0] }
  check([[more, 20214, '/action_parameters', /41 out of 40/]], given =>
    addRule(current, given, contextOf('zone')),
  )
  const conditional = { rules: [{ ...more, expression: 'ssl' }] }
  check(
    [
      [
        conditional,
        20214,
        '/rules/0/expression',
        general('ssl', 'expression', 'the expression of a log_custom_field rule must be true'),
      ],
    ],
    put,
  )
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
    [{}, 20207, '/position', 'position must have exactly one of before, after and index'],
    [{ before: '', index: 1 }, 20207, '/position', /exactly one/],
    [{ first: true }, 20201, '/position/first', /unknown field "first"/],
    [{ index: 0 }, 20207, '/position/index', general('0', 'index', 'it must be from 1 to 2')],
    [{ index: 3 }, 20207, '/position/index', general('3', 'index', 'it must be from 1 to 2')],
    [{ index: 1.5 }, 20203, '/position/index', /an integer/],
    [
      { before: 'nobody' },
      20207,
      '/position/before',
      general('nobody', 'before', 'the ruleset has no other rule with this id'),
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
  const missing: readonly Row[] = [[rule, 20218, undefined, 'could not find rule with id nobody']]
  check(missing, body => patchRule(current, 'nobody', body, context), 404)
  check(missing, () => deleteRule(current, 'nobody', context), 404)
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
  assert.equal(problemOf(checkPhase('http_ratelimit')).code, 20206)
  assert.equal(problemOf(checkPhase('nonsense')).code, 20203)
})
