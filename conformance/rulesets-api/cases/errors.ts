import {
  block,
  type Case,
  custom,
  enterprise,
  entryPoint,
  execute,
  general,
  levels,
  logFields,
  managed,
  owasp,
  put,
  refused,
  unknownId,
  zoneRules,
} from '../case.ts'

const noEntryPoint = (phase: string) => `could not find entrypoint ruleset in the ${phase} phase`
const exceeded = (kind: string, phase: string) =>
  general(kind, 'kind', `exceeded maximum number of ${kind} rulesets for phase ${phase}`)

/** Codes and sentences known from live responses. */
export const errorCases: readonly Case[] = [
  ...levels.flatMap(({ level, scope, kind }): Case[] => [
    {
      name: `1.3 10003: an entry point of the ${level} that never was`,
      request: ['GET', entryPoint(custom, scope)],
      status: 404,
      error: [10003, noEntryPoint(custom)],
      body: { messages: [] },
    },
    {
      name: `1.3 10001: an unknown ruleset of the ${level}`,
      request: ['GET', `${scope}/rulesets/${unknownId}`],
      status: 404,
      error: [10001, /ruleset/],
    },
    {
      name: `1.3 20217: a second entry point of the ${level}`,
      given: [['POST', `${scope}/rulesets`, { kind, name: 'one', phase: managed }]],
      request: ['POST', `${scope}/rulesets`, { kind, name: 'two', phase: managed }],
      status: 400,
      error: [20217, exceeded(kind, managed), '/kind'],
    },
  ]),
  {
    name: '1.3 the example of an error, whole',
    given: [['POST', '/zones/<zone>/rulesets', { kind: 'zone', name: 'a', phase: logFields }]],
    request: ['POST', '/zones/<zone>/rulesets', { kind: 'zone', name: 'b', phase: logFields }],
    status: 400,
    body: {
      result: null,
      success: false,
      errors: [{ code: 20217, message: exceeded('zone', logFields), source: { pointer: '/kind' } }],
      messages: [],
    },
  },
  refused(
    '1.3 20125: an expression that is not there, in PUT',
    custom,
    { action: 'block' },
    20125,
    general('', 'expression', 'the expression cannot be blank'),
    '/expression',
  ),
  {
    name: '1.3 20125: an expression that is blank, in POST of a ruleset',
    request: [
      'POST',
      '/zones/<zone>/rulesets',
      { kind: 'zone', name: 'x', phase: custom, rules: [{ action: 'block', expression: '' }] },
    ],
    status: 400,
    error: [20125, general('', 'expression', 'the expression cannot be blank'), '/rules/0/expression'],
  },
  {
    name: '1.3 20125: an expression that is not there, in POST of a rule',
    given: [zoneRules('a')],
    request: ['POST', '/zones/<zone>/rulesets/<ruleset>/rules', { action: 'block' }],
    status: 400,
    error: [20125, general('', 'expression', 'the expression cannot be blank'), '/expression'],
  },
  {
    name: '1.3 20125: PATCH that leaves the expression out',
    given: [zoneRules('a')],
    request: ['PATCH', '/zones/<zone>/rulesets/<ruleset>/rules/<a>', { action: 'log', enabled: true }],
    status: 400,
    error: [20125, general('', 'expression', 'the expression cannot be blank'), '/expression'],
  },
  {
    name: '1.3 PATCH with nothing but action_parameters',
    given: [put(managed, execute())],
    request: [
      'PATCH',
      '/zones/<zone>/rulesets/<ruleset>/rules/<rule1>',
      { action_parameters: { id: owasp } },
    ],
    status: 400,
    error: [20212, 'action is required for action parameters'],
  },
  ...['set_config', 'redirect', 'rewrite', 'route'].map((action, index) => {
    const phases = [
      'http_config_settings',
      'http_request_dynamic_redirect',
      'http_request_late_transform',
      'http_request_origin',
    ]
    return refused(
      `1.3 20113: ${action} without parameters`,
      phases[index]!,
      { action, expression: 'true' },
      20113,
      `action parameters are required for the ${action} action`,
    )
  }),
  refused(
    '1.3 20113: execute without parameters',
    managed,
    { action: 'execute', expression: 'true' },
    20113,
    'action parameters are required for the execute action',
  ),
  refused(
    '1.3 20113: skip with empty parameters',
    custom,
    { action: 'skip', expression: 'true', action_parameters: {} },
    20113,
    'action parameters are required for the skip action',
  ),
  refused(
    '1.3 20016: block in managed rules of a zone',
    managed,
    block('a'),
    20016,
    general(
      'block',
      'action',
      `it is not possible to use the block action in a ruleset with phase ${managed} and kind zone; possible are execute, skip`,
    ),
    '/action',
  ),
  {
    name: '1.3 20016: block in an entry point of the account',
    request: [
      'PUT',
      entryPoint(custom, '/accounts/<account>'),
      { rules: [block('a', { expression: enterprise })] },
    ],
    status: 400,
    error: [
      20016,
      general(
        'block',
        'action',
        `it is not possible to use the block action in a ruleset with phase ${custom} and kind root; possible are execute, skip`,
      ),
      '/rules/0/action',
    ],
  },
  refused(
    '1.3 20018: logging of a rule that blocks',
    custom,
    block('a', { logging: { enabled: true } }),
    20018,
    /skip/,
  ),
  refused(
    '1.3 an action outside the enum',
    custom,
    block('a', { action: 'explode' }),
    20204,
    'unknown variant for action: explode',
    '/action',
  ),
  refused(
    '1.3 an expression that does not parse',
    custom,
    block('a', { expression: 'htp.host eq "a"' }),
    20205,
    /^'htp\.host eq "a"' is not a valid value for expression because could not parse filter expression: Filter parsing error \(1:1\):\nhtp\.host eq "a"\n\^{8} unknown identifier/,
    '/expression',
  ),
  refused(
    '1.3 an expression that does not parse on its second line',
    custom,
    block('a', { expression: 'http.host eq "a"\nand nothing' }),
    20205,
    /: Filter parsing error \(2:5\):\nand nothing\n {4}\^+ /,
  ),
  refused(
    '1.3 an unknown field of a rule',
    custom,
    block('a', { colour: 'red' }),
    20201,
    'invalid JSON: unknown field "colour"',
    '/colour',
  ),
  {
    name: '1.3 50001: more rules than a ruleset may have',
    request: ['PUT', entryPoint(custom), { rules: Array(1001).fill({ action: 'log', expression: 'true' }) }],
    status: 400,
    error: [50001, `exceeded the maximum number of rules in the phase ${custom}: 1001 out of 1000`],
  },
  {
    name: '1.1 a body that is not JSON',
    request: ['PUT', entryPoint(custom), '{"rules": [}', { 'content-type': 'application/json' }],
    status: 400,
    error: [10400, /^invalid JSON: .* \(line 1, column 12\)$/],
  },
  {
    name: '1.1 a list has no result_info when it fits on one page',
    request: ['GET', '/zones/<zone>/rulesets'],
    body: { success: true, errors: [], messages: [], result_info: undefined },
  },
]
