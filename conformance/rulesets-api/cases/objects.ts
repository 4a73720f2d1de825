import {
  block,
  type Case,
  custom,
  Exactly,
  entryPoint,
  execute,
  limits,
  managed,
  put,
  refused,
  taken,
  zoneRules,
} from '../case.ts'

const skip = { action: 'skip', expression: 'true', action_parameters: { ruleset: 'current' } }
const limit = { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 10 }
const limited = (ratelimit: unknown) => ({ action: 'block', expression: 'true', ratelimit })

export const objectCases: readonly Case[] = [
  {
    name: '3.1 defaults of a ruleset',
    request: ['POST', '/zones/<zone>/rulesets', { kind: 'zone', name: 'x', phase: custom }],
    result: {
      description: '',
      version: '1',
      rules: [],
      source: undefined,
      shareable_entitlement_name: undefined,
    },
  },
  {
    name: '3.1 source of managed entry points is not of others',
    given: [zoneRules('a')],
    request: ['GET', entryPoint(custom)],
    result: { source: undefined },
  },
  {
    name: '3.1 a managed ruleset says its source',
    request: ['GET', '/zones/<zone>/rulesets/4814384a9e5d4991b9815dcfc25d2f1f'],
    result: { source: 'firewall_managed', kind: 'managed', phase: managed },
  },
  {
    name: '3.2 defaults of a rule',
    request: put(custom, { action: 'block', expression: 'true' }),
    result: {
      rules: [
        {
          version: '1',
          enabled: true,
          ref: /^[0-9a-f]{32}$/,
          description: undefined,
          logging: undefined,
          ratelimit: undefined,
          action_parameters: undefined,
          categories: undefined,
          score_threshold: undefined,
        },
      ],
    },
  },
  {
    name: '3.2 the ref of a rule is its id when it has none',
    given: [put(custom, { action: 'block', expression: 'true' })],
    request: ['GET', entryPoint(custom)],
    result: { rules: [{ id: '<rule1>', ref: '<rule1>' }] },
  },
  taken('3.2 empty parameters', custom, { action: 'block', expression: 'true', action_parameters: {} }),
  taken('3.2 an empty description', custom, block('a', { description: '' })),
  taken('3.2 a rule that is off', custom, block('a', { enabled: false })),
  taken('3.2 an expression is not trimmed', custom, block('a', { expression: '  http.host   eq "a"\n' })),
  {
    name: '3.2 logging of a skip rule is on',
    request: put(custom, skip),
    result: { rules: [{ logging: new Exactly({ enabled: true }) }] },
  },
  taken('3.2 logging of a skip rule that is off', custom, { ...skip, logging: { enabled: false } }),
  refused('3.2 logging with nothing in it', custom, { ...skip, logging: {} }, 20202, /./, '/logging/enabled'),
  refused('3.2 an empty ref', custom, block('a', { ref: '' }), 20202, /./, '/ref'),
  taken(
    '3.2 exposed credentials',
    custom,
    block('a', {
      exposed_credential_check: {
        username_expression: 'url_decode(http.request.body.form["username"][0])',
        password_expression: 'lookup_json_string(http.request.body.raw, "password")',
      },
    }),
  ),
  refused(
    '3.2 exposed credentials that are no text',
    custom,
    block('a', {
      exposed_credential_check: { username_expression: 'true', password_expression: 'http.host' },
    }),
    20083,
    /username_expression.*String/,
    '/exposed_credential_check/username_expression',
  ),
  {
    name: '3.2 a reorder does not count for rules',
    given: [zoneRules('a', 'b')],
    request: ['PUT', entryPoint(custom), { rules: [block('b'), block('a')] }],
    result: {
      version: '2',
      rules: [
        { ref: 'b', version: '1' },
        { ref: 'a', version: '1' },
      ],
    },
  },
  taken('3.3 a rate limit', limits, limited(limit)),
  taken(
    '3.3 a rate limit with all members',
    limits,
    limited({
      ...limit,
      mitigation_timeout: 600,
      counting_expression: 'http.response.code eq 401',
      requests_to_origin: true,
    }),
  ),
  taken(
    '3.3 a rate limit by score',
    limits,
    limited({
      characteristics: ['ip.src'],
      period: 60,
      score_per_period: 100,
      score_response_header_name: 'x-score',
    }),
  ),
  refused(
    '3.3 no characteristics',
    limits,
    limited({ period: 60, requests_per_period: 1 }),
    20202,
    /characteristics/,
  ),
  refused('3.3 empty characteristics', limits, limited({ ...limit, characteristics: [] }), 20219, /./),
  refused(
    '3.3 no period',
    limits,
    limited({ characteristics: ['ip.src'], requests_per_period: 1 }),
    20202,
    /period/,
  ),
  refused('3.3 no requests', limits, limited({ characteristics: ['ip.src'], period: 60 }), 20219, /./),
  refused('3.3 requests_per_period 0', limits, limited({ ...limit, requests_per_period: 0 }), 20219, /./),
  refused('3.3 a rate limit elsewhere', custom, limited(limit), 20219, /./, '/ratelimit'),
  refused('3.3 a rule of the phase without one', limits, { action: 'block', expression: 'true' }, 20219, /./),
  refused(
    '3.3 an unknown member',
    limits,
    limited({ ...limit, burst: 1 }),
    20201,
    'invalid JSON: unknown field "burst"',
  ),
  taken('4.1 the version is latest when it is not said', managed, execute()),
  taken('4.1 latest, said', managed, execute({ version: 'latest' })),
  taken('4.1 a version by its number', managed, execute({ version: '1' })),
]
