import {
  block,
  type Case,
  closedIds,
  custom,
  customRuleset,
  entryPoint,
  execute,
  lastRule,
  levels,
  logFields,
  managed,
  owasp,
  put,
  type Request,
  unknownId,
  zoneRules,
} from '../case.ts'

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/**
 * Each line of the table of endpoints, at both levels; rulesets are custom ones, which accept the same rules at both.
 */
const bothLevels: readonly Case[] = levels.flatMap(({ level, scope }): Case[] => {
  const made = customRuleset(custom, scope)
  const path = `${scope}/rulesets/<ruleset>`
  const withRule: Request[] = [made, ['POST', `${path}/rules`, block('a')]]
  return [
    {
      name: `2 #1 the list of the ${level} has no rules`,
      given: [made],
      request: ['GET', `${scope}/rulesets?per_page=50`],
      result: [
        { id: owasp, kind: 'managed', source: 'firewall_managed', rules: undefined, version: '1' },
        { kind: 'managed', phase: 'http_request_sanitize', rules: undefined },
        ...closedIds(level).map(id => ({ id, kind: 'managed', rules: undefined, version: '1' })),
        {
          id: '<ruleset>',
          kind: 'custom',
          rules: undefined,
          version: '1',
          last_updated: time,
          description: '',
        },
      ],
    },
    {
      name: `2 #2 POST makes a ruleset of the ${level}`,
      request: [
        'POST',
        `${scope}/rulesets`,
        { kind: 'custom', name: 'mine', phase: custom, description: 'd', rules: [block('a')] },
      ],
      result: {
        kind: 'custom',
        name: 'mine',
        phase: custom,
        description: 'd',
        version: '1',
        source: undefined,
        rules: [{ ref: 'a', version: '1', enabled: true }],
      },
    },
    {
      name: `2 #3 GET of the ${level}`,
      given: [made],
      request: ['GET', path],
      result: { id: '<ruleset>', rules: [] },
    },
    {
      name: `2 #3 GET of a managed ruleset at the ${level}`,
      request: ['GET', `${scope}/rulesets/${owasp}`],
      result: {
        kind: 'managed',
        rules: [{ categories: ['paranoia-level-1'] }, { id: lastRule, categories: undefined }],
      },
    },
    {
      name: `2 #4 PUT makes a new version, at the ${level}`,
      given: [made],
      request: ['PUT', path, { rules: [block('a')] }],
      result: { id: '<ruleset>', version: '2', rules: [{ version: '1' }] },
    },
    { name: `2 #5 DELETE, at the ${level}`, given: [made], request: ['DELETE', path], status: 204 },
    {
      name: `2 #6 POST of a rule answers with the ruleset, at the ${level}`,
      given: [made],
      request: ['POST', `${path}/rules`, block('a')],
      result: { id: '<ruleset>', version: '2', rules: [{ ref: 'a', version: '1' }] },
    },
    {
      name: `2 #7 PATCH of a rule answers with the ruleset, at the ${level}`,
      given: withRule,
      request: ['PATCH', `${path}/rules/<a>`, block('a', { action: 'log' })],
      result: { version: '3', rules: [{ id: '<a>', action: 'log', version: '2' }] },
    },
    {
      name: `2 #8 DELETE of a rule answers with the ruleset, at the ${level}`,
      given: withRule,
      request: ['DELETE', `${path}/rules/<a>`],
      result: { version: '3', rules: [] },
    },
    {
      name: `2 #9 versions, at the ${level}`,
      given: withRule,
      request: ['GET', `${path}/versions`],
      body: {
        result: [
          { id: '<ruleset>', version: '1', rules: undefined },
          { version: '2', rules: undefined },
        ],
        result_info: undefined,
      },
    },
    {
      name: `2 #10 one version, at the ${level}`,
      given: withRule,
      request: ['GET', `${path}/versions/1`],
      result: { id: '<ruleset>', version: '1', rules: [] },
    },
    {
      name: `2 #11 a version is deleted, at the ${level}`,
      given: withRule,
      request: ['DELETE', `${path}/versions/1`],
      status: 204,
    },
    {
      name: `2 #11 numbers of deleted versions do not come back, at the ${level}`,
      given: [...withRule, ['DELETE', `${path}/versions/1`]],
      request: ['PUT', path, { description: 'x' }],
      result: { version: '3' },
    },
    {
      name: `2 #13 an entry point, at the ${level}`,
      given: [['PUT', entryPoint(managed, scope), { rules: [] }]],
      request: ['GET', entryPoint(managed, scope)],
      result: { id: '<ruleset>', rules: [] },
    },
    {
      name: `2 #14 PUT makes an entry point, at the ${level}`,
      request: ['PUT', entryPoint(managed, scope), { rules: [] }],
      result: { version: '1', description: '', name: /./, kind: level === 'zone' ? 'zone' : 'root' },
    },
    {
      name: `2 #14 PUT with a name and a description, at the ${level}`,
      request: ['PUT', entryPoint(managed, scope), { name: 'mine', description: 'd', rules: [] }],
      result: { name: 'mine', description: 'd' },
    },
    {
      name: `2 #15 versions of an entry point that is not there, at the ${level}`,
      request: ['GET', `${entryPoint(custom, scope)}/versions`],
      result: [],
    },
    {
      name: `2 #16 a version of an entry point, at the ${level}`,
      given: [['PUT', entryPoint(managed, scope), { rules: [] }]],
      request: ['GET', `${entryPoint(managed, scope)}/versions/1`],
      result: { id: '<ruleset>', version: '1', rules: [] },
    },
    {
      name: `2 #16 a version that is not there, at the ${level}`,
      given: [['PUT', entryPoint(managed, scope), { rules: [] }]],
      request: ['GET', `${entryPoint(managed, scope)}/versions/9`],
      status: 404,
    },
  ]
})

const notes: readonly Case[] = [
  {
    name: '2 #12 rules of a managed ruleset by their tag',
    request: ['GET', `/accounts/<account>/rulesets/${owasp}/versions/1/by_tag/paranoia-level-1`],
    result: { id: owasp, rules: [{ categories: ['paranoia-level-1'] }] },
  },
  {
    name: '2 #12 is there for accounts only',
    request: ['GET', `/zones/<zone>/rulesets/${owasp}/versions/1/by_tag/paranoia-level-1`],
    status: 404,
    error: [7003, /^Could not route/],
  },
  ...['kind', 'phase'].map(
    (field): Case => ({
      name: `2 #14 ${field} is not known there`,
      request: ['PUT', entryPoint(custom), { [field]: field === 'kind' ? 'zone' : custom, rules: [] }],
      status: 400,
      error: [20201, `invalid JSON: unknown field "${field}"`, `/${field}`],
    }),
  ),
  {
    name: '2 #5 an entry point with rules in it is deleted',
    given: [put(managed, execute())],
    request: ['DELETE', '/zones/<zone>/rulesets/<ruleset>'],
    status: 204,
  },
  {
    name: '2 #5 a ruleset that a rule executes is not',
    given: [
      customRuleset(),
      [
        'PUT',
        entryPoint(custom),
        {
          rules: [
            { action: 'execute', expression: 'true', ref: 'run', action_parameters: { id: '<ruleset>' } },
          ],
        },
      ],
    ],
    request: ['DELETE', '/zones/<zone>/rulesets/<executed>'],
    status: 400,
    error: [20222, /./],
  },
  {
    name: '2 #11 the newest version stays',
    given: [zoneRules('a')],
    request: ['DELETE', '/zones/<zone>/rulesets/<ruleset>/versions/1'],
    status: 400,
    error: [20291, /newest/],
  },
  ...(
    [
      ['PUT', '', { rules: [] }],
      ['DELETE', ''],
      ['POST', '/rules', block('a')],
      ['PATCH', `/rules/${lastRule}`, block('a')],
      ['DELETE', `/rules/${lastRule}`],
    ] as const
  ).map(
    ([method, below, body]): Case => ({
      name: `2 managed rulesets are not changed: ${method} ${below.slice(0, 6)}`,
      request: [method, `/zones/<zone>/rulesets/${owasp}${below}`, body],
      status: 400,
      error: [20213, /^managed rulesets cannot be changed/],
    }),
  ),
  {
    name: '2 a ruleset of the account is not one of the zone',
    given: [customRuleset(custom, '/accounts/<account>')],
    request: ['GET', '/zones/<zone>/rulesets/<ruleset>'],
    status: 404,
    error: [10001, /./],
  },
]

const neighbours: readonly Case[] = [
  {
    name: '2.6 an account',
    request: ['GET', '/accounts/<account>'],
    result: {
      id: '<account>',
      name: 'Team',
      type: /^(standard|enterprise)$/,
      created_on: /Z$/,
      settings: { enforce_twofactor: false },
    },
  },
  {
    name: '2.6 accounts by name',
    request: ['GET', '/accounts?name=Team'],
    body: { result: [{ id: '<account>' }], result_info: { total_count: 1 } },
  },
  {
    name: '2.6 a zone has the members that clients require',
    request: ['GET', '/zones/<zone>'],
    result: {
      id: '<zone>',
      name: 'shop.example',
      status: 'active',
      paused: false,
      type: 'full',
      development_mode: 0,
      name_servers: [],
      original_name_servers: null,
      original_registrar: null,
      original_dnshost: null,
      created_on: /Z$/,
      modified_on: /Z$/,
      activated_on: /Z$/,
      owner: {},
      account: { id: '<account>', name: 'Team' },
      plan: { legacy_id: 'enterprise' },
      meta: {},
    },
  },
  { name: '2.6 zones by name', request: ['GET', '/zones?name=shop.example'], result: [{ id: '<zone>' }] },
  {
    name: '2.6 zones by a part of the name',
    request: ['GET', '/zones?name=contains:shop'],
    result: [{ id: '<zone>' }],
  },
  { name: '2.6 zones of another status', request: ['GET', '/zones?status=pending'], result: [] },
  {
    name: '2.6 permission groups',
    request: ['GET', '/user/tokens/permission_groups?name=Zone%20WAF%20Write'],
    result: [{ name: 'Zone WAF Write', id: 'fb6778dc191143babbfaa57993f1d275' }],
  },
  {
    name: '2.6 a second zone of the same name',
    request: [
      'POST',
      '/zones',
      { name: 'shop.example', account: { id: '<account>' }, origin: { url: 'http://127.0.0.1:9' } },
    ],
    status: 400,
    error: [1061, /already exists/],
  },
  {
    name: '2 an unknown rule',
    given: [zoneRules('a')],
    request: ['DELETE', `/zones/<zone>/rulesets/<ruleset>/rules/${unknownId}`],
    status: 404,
    error: [20218, /./],
  },
  {
    name: '6.1 a phase of Cloudflare that is not here',
    request: ['PUT', entryPoint('http_request_cache_settings'), { rules: [] }],
    status: 400,
    error: [20206, /has no meaning on a self-hosted edge/],
  },
  {
    name: '6.3 log fields are a phase of zones',
    request: ['PUT', entryPoint(logFields, '/accounts/<account>'), { rules: [] }],
    status: 400,
    error: [20203, /zone level/],
  },
]

/** Scripts ask for the entry point of every phase that the SDK knows. */
const everyPhase: readonly Case[] = [
  'ddos_l4',
  'ddos_l7',
  'http_config_settings',
  'http_custom_errors',
  'http_log_custom_fields',
  'http_ratelimit',
  'http_request_cache_settings',
  'http_request_dynamic_redirect',
  'http_request_firewall_custom',
  'http_request_firewall_managed',
  'http_request_late_transform',
  'http_request_origin',
  'http_request_redirect',
  'http_request_sanitize',
  'http_request_sbfm',
  'http_request_transform',
  'http_response_cache_settings',
  'http_response_compression',
  'http_response_firewall_managed',
  'http_response_headers_transform',
  'magic_transit',
  'magic_transit_ids_managed',
  'magic_transit_managed',
  'magic_transit_ratelimit',
].flatMap(phase =>
  levels.map(
    ({ level, scope }): Case => ({
      name: `6.1 ${phase} of the ${level} has no entry point`,
      request: ['GET', entryPoint(phase, scope)],
      status: 404,
      error: [10003, `could not find entrypoint ruleset in the ${phase} phase`],
    }),
  ),
)

export const endpointCases: readonly Case[] = [...bothLevels, ...notes, ...neighbours, ...everyPhase]
