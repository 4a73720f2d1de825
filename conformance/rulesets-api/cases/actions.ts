import {
  block,
  type Case,
  custom,
  customRuleset,
  enterprise,
  entryPoint,
  execute,
  limits,
  logFields,
  managed,
  owasp,
  put,
  refused,
  taken,
  unknownId,
} from '../case.ts'

const limit = { characteristics: ['ip.src'], period: 60, requests_per_period: 10 }
const answers = ['block', 'managed_challenge', 'js_challenge', 'challenge', 'log']

const matrix: readonly Case[] = [
  ...answers.map(action => taken(`4 ${action} in custom rules`, custom, block('a', { action }))),
  ...answers.map(action =>
    taken(`4 ${action} in rate limits`, limits, block('a', { action, ratelimit: limit })),
  ),
  ...answers.map(action =>
    refused(`4 ${action} in managed rules`, managed, block('a', { action }), 20016, /./),
  ),
  ...answers.map(action =>
    refused(`4 ${action} in log fields`, logFields, block('a', { action }), 20016, /./),
  ),
  ...answers
    .slice(1)
    .map(action =>
      refused(
        `4 ${action} has no parameters`,
        custom,
        block('a', { action, action_parameters: { response: {} } }),
        20201,
        'invalid JSON: unknown field "response"',
      ),
    ),
  ...[
    'redirect',
    'rewrite',
    'route',
    'set_config',
    'compress_response',
    'serve_error',
    'log_custom_field',
  ].map(action =>
    refused(`4 ${action} in custom rules`, custom, block('a', { action, action_parameters: {} }), 20016, /./),
  ),
  ...['set_cache_settings', 'score', 'ddos_dynamic'].map(action =>
    refused(
      `4 ${action} is nowhere here`,
      custom,
      block('a', { action }),
      20206,
      /no meaning on a self-hosted edge/,
    ),
  ),
]

const executing: readonly Case[] = [
  taken(
    '4.1 matched_data',
    managed,
    execute({ matched_data: { public_key: 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8=' } }),
  ),
  refused('4.1 a key that is not one', managed, execute({ matched_data: { public_key: 'abc' } }), 20203, /./),
  refused('4.1 no id', managed, { ...execute(), action_parameters: { version: 'latest' } }, 20202, /id/),
  refused('4.1 an unknown id', managed, execute({ id: unknownId }), 20210, /./, '/action_parameters/id'),
  refused('4.1 an unknown version', managed, execute({ version: '99' }), 20210, /./),
  refused('4.1 a ruleset of another phase', custom, execute(), 20210, /phase/),
  refused(
    "4.1 a managed ruleset that is Cloudflare's own",
    managed,
    execute({ id: 'efb7b8c949ac4650a09736fc376e9aee' }),
    20206,
    /Cloudflare Managed Ruleset/,
  ),
  {
    name: '4.1 a custom ruleset of the same phase and zone',
    given: [customRuleset()],
    request: put(custom, execute({ id: '<ruleset>' })),
    result: { rules: [{ action_parameters: { version: 'latest' } }] },
  },
  {
    name: '4.1 a custom ruleset of the account is not for the zone',
    given: [customRuleset(custom, '/accounts/<account>')],
    request: put(custom, execute({ id: '<ruleset>' })),
    status: 400,
    error: [20210, /./],
  },
  {
    name: '4.1 a custom ruleset executes nothing',
    given: [customRuleset()],
    request: ['POST', '/zones/<zone>/rulesets/<ruleset>/rules', execute()],
    status: 400,
    error: [20016, /kind custom/],
  },
  {
    name: '4 the account executes with an expression for Enterprise zones',
    request: [
      'PUT',
      entryPoint(managed, '/accounts/<account>'),
      { rules: [{ ...execute(), expression: `(http.host eq "a") and ${enterprise}` }] },
    ],
    result: { kind: 'root', rules: [{ action_parameters: { id: owasp, version: 'latest' } }] },
  },
  {
    name: '4 the account executes one of its custom rulesets',
    given: [customRuleset(custom, '/accounts/<account>')],
    request: [
      'PUT',
      entryPoint(custom, '/accounts/<account>'),
      { rules: [{ ...execute({ id: '<ruleset>' }), expression: enterprise }] },
    ],
    result: { kind: 'root' },
  },
  {
    name: '4 a custom ruleset of the account blocks',
    given: [customRuleset(custom, '/accounts/<account>')],
    request: ['POST', '/accounts/<account>/rulesets/<ruleset>/rules', block('a')],
    result: { rules: [{ action: 'block' }] },
  },
]

const fields = (parameters: object, more: object = {}) => ({
  action: 'log_custom_field',
  expression: 'true',
  action_parameters: parameters,
  ...more,
})
const names = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `x-${at}` }))

const logging: readonly Case[] = [
  ...[
    'request_fields',
    'transformed_request_fields',
    'response_fields',
    'raw_response_fields',
    'cookie_fields',
  ].map(list => taken(`4.3 ${list}`, logFields, fields({ [list]: [{ name: 'x-a' }] }))),
  ...['response_fields', 'raw_response_fields'].flatMap(list =>
    [true, false].map(value =>
      taken(
        `4.3 ${list} with preserve_duplicates ${value}`,
        logFields,
        fields({ [list]: [{ name: 'x-a', preserve_duplicates: value }] }),
      ),
    ),
  ),
  refused(
    '4.3 preserve_duplicates of a request header',
    logFields,
    fields({ request_fields: [{ name: 'x-a', preserve_duplicates: true }] }),
    20201,
    'invalid JSON: unknown field "preserve_duplicates"',
  ),
  taken('4.3 names of cookies have upper case', logFields, fields({ cookie_fields: [{ name: 'Session' }] })),
  taken(
    '4.3 one name in a request and a response',
    logFields,
    fields({ request_fields: [{ name: 'content-type' }], raw_response_fields: [{ name: 'content-type' }] }),
  ),
  refused('4.3 a header in upper case', logFields, fields({ request_fields: [{ name: 'X-A' }] }), 20214, /./),
  refused('4.3 no list', logFields, fields({}), 20113, /action parameters are required/),
  refused('4.3 empty lists', logFields, fields({ request_fields: [] }), 20214, /./),
  refused(
    '4.3 an expression that is not true',
    logFields,
    fields({ request_fields: names(1) }, { expression: 'http.host eq "a"' }),
    20214,
    /must be true/,
  ),
  refused(
    '4.3 a header before and after it is rewritten',
    logFields,
    fields({ request_fields: [{ name: 'x-a' }], transformed_request_fields: [{ name: 'x-a' }] }),
    20214,
    /./,
  ),
  taken('4.3 forty names', logFields, fields({ request_fields: names(40) })),
  refused('4.3 forty-one names', logFields, fields({ request_fields: names(41) }), 20214, /40/),
  {
    name: '4.3 the flow: POST without rules, then PUT with one',
    given: [['POST', '/zones/<zone>/rulesets', { kind: 'zone', name: 'fields', phase: logFields }]],
    request: ['PUT', '/zones/<zone>/rulesets/<ruleset>', { rules: [fields({ request_fields: names(1) })] }],
    result: { version: '2', rules: [{ version: '1', enabled: true, action: 'log_custom_field' }] },
  },
]

const response = (parts: object) =>
  block('a', {
    action_parameters: {
      response: { status_code: 403, content: 'no', content_type: 'text/plain', ...parts },
    },
  })

const blocking: readonly Case[] = [
  ...['text/html', 'text/plain', 'application/json', 'text/xml'].map(type =>
    taken(`4.4 ${type}`, custom, response({ content_type: type })),
  ),
  taken('4.4 status 400', custom, response({ status_code: 400 })),
  taken('4.4 status 499', custom, response({ status_code: 499 })),
  taken('4.4 content of 2 KB', custom, response({ content: 'x'.repeat(2048) })),
  refused(
    '4.4 status 399',
    custom,
    response({ status_code: 399 }),
    20203,
    /./,
    '/action_parameters/response/status_code',
  ),
  refused(
    '4.4 status 500',
    custom,
    response({ status_code: 500 }),
    20203,
    /./,
    '/action_parameters/response/status_code',
  ),
  refused('4.4 content over 2 KB', custom, response({ content: 'x'.repeat(2049) }), 20203, /./),
  refused('4.4 empty content', custom, response({ content: '' }), 20202, /./),
  refused('4.4 another type', custom, response({ content_type: 'text/css' }), 20203, /./),
  ...['status_code', 'content', 'content_type'].map(member =>
    refused(
      `4.4 no ${member}`,
      custom,
      response({ [member]: undefined }),
      20202,
      /./,
      `/action_parameters/response/${member}`,
    ),
  ),
]

const late = 'http_request_late_transform'
const answer = 'http_response_headers_transform'
const urls = 'http_request_transform'
const rewrite = (parameters: object) => ({
  action: 'rewrite',
  expression: 'true',
  action_parameters: parameters,
})
const header = (operation: object) => rewrite({ headers: { 'x-a': operation } })

const rewriting: readonly Case[] = [
  taken('4.5 a path by value', urls, rewrite({ uri: { path: { value: '/b' } } })),
  taken(
    '4.5 a path by expression',
    urls,
    rewrite({ uri: { path: { expression: 'concat("/b", http.request.uri.path)' } } }),
  ),
  taken('4.5 a query that is removed', urls, rewrite({ uri: { query: { value: '' } } })),
  taken('4.5 path and query', urls, rewrite({ uri: { path: { value: '/b' }, query: { value: 'a=1' } } })),
  refused(
    '4.5 value and expression',
    urls,
    rewrite({ uri: { path: { value: '/b', expression: '"/b"' } } }),
    20203,
    /./,
  ),
  refused('4.5 neither', urls, rewrite({ uri: { path: {} } }), 20203, /./),
  taken('4.5 a header is set', late, header({ operation: 'set', value: '1' })),
  taken('4.5 a header is set by expression', late, header({ operation: 'set', expression: 'http.host' })),
  taken('4.5 a header is removed', late, header({ operation: 'remove' })),
  taken('4.5 a header of the response is added', answer, header({ operation: 'add', value: '1' })),
  refused('4.5 remove takes no value', late, header({ operation: 'remove', value: '1' }), 20203, /./),
  refused('4.5 set without a value', late, header({ operation: 'set' }), 20203, /./),
  refused('4.5 another operation', late, header({ operation: 'move', value: '1' }), 20203, /./),
  refused('4.5 no header', late, rewrite({ headers: {} }), 20203, /./),
]

const redirect = (parameters: object) => ({
  action: 'redirect',
  expression: 'true',
  action_parameters: { from_value: { target_url: { value: 'https://example.com/' }, ...parameters } },
})
const redirects = 'http_request_dynamic_redirect'

const steering: readonly Case[] = [
  ...[301, 302, 303, 307, 308].map(code =>
    taken(`4 redirect with ${code}`, redirects, redirect({ status_code: code })),
  ),
  refused('4 redirect with 300', redirects, redirect({ status_code: 300 }), 20203, /./),
  taken('4 redirect with the query', redirects, redirect({ preserve_query_string: true })),
  taken(
    '4 redirect by expression',
    redirects,
    redirect({ target_url: { expression: 'concat("https://", http.host)' } }),
  ),
  taken('4 route', 'http_request_origin', {
    action: 'route',
    expression: 'true',
    action_parameters: {
      host_header: 'a.example',
      origin: { host: 'b.example', port: 8443 },
      sni: { value: 'c.example' },
    },
  }),
  ...[0, 65_536].map(port =>
    refused(
      `4 route to port ${port}`,
      'http_request_origin',
      { action: 'route', expression: 'true', action_parameters: { origin: { port } } },
      20203,
      /./,
      '/action_parameters/origin/port',
    ),
  ),
  taken('4 set_config', 'http_config_settings', {
    action: 'set_config',
    expression: 'true',
    action_parameters: { security_level: 'under_attack' },
  }),
  refused(
    '4 set_config with another level',
    'http_config_settings',
    { action: 'set_config', expression: 'true', action_parameters: { security_level: 'extreme' } },
    20203,
    /./,
  ),
]

export const actionCases: readonly Case[] = [
  ...matrix,
  ...executing,
  ...logging,
  ...blocking,
  ...rewriting,
  ...steering,
]
