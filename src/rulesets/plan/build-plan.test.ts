import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfText } from '../../kit/bytes.ts'
import type { CustomPage } from '../../model/custom-page.ts'
import { defaultRedaction } from '../../model/redaction.ts'
import type { Phase, Rule, Ruleset, RulesetPhase, Shadow, Zone } from '../../model/resource.ts'
import { defaultZoneSettings } from '../../model/zone-settings.ts'
import { owaspRequestRulesetId, owaspResponseRulesetId, ruleIdsOf } from '../managed/owasp.ts'
import { urlNormalizationRuleset, urlNormalizationRulesetId } from '../managed/url-normalization.ts'
import { accepted, managedById, problemOf, program } from '../testing/documents.ts'
import { viewOf } from '../testing/request-view.ts'
import { buildPlan } from './build-plan.ts'
import type { ListLookup, PlanEffect, PlanInput, PlanPhase, PlanRule, ZonePlan } from './plan.ts'
import { redactionOf } from './redaction.ts'

const zone: Zone = {
  id: 'f'.repeat(32),
  accountId: 'e'.repeat(32),
  name: 'example.com',
  originUrl: 'http://127.0.0.1:9000',
  paused: false,
  type: 'full' as const,
  createdOn: '',
  modifiedOn: '',
}
const verdictId = '6179ae15870a4bb7b2d480d4843b323c'

/** A rule as it is stored, but for what a test says of it. */
type RuleParts = Partial<Rule> & Pick<Rule, 'action'>

let ids = 0
const newId = (): string => (++ids).toString(16).padStart(32, '0')

function ruleset(
  kind: 'root' | 'zone' | 'custom',
  phase: RulesetPhase,
  rules: readonly RuleParts[],
): Ruleset {
  return {
    id: newId(),
    scope: { kind: kind === 'root' ? 'account' : 'zone', id: zone.id },
    name: 'default',
    description: '',
    kind,
    phase,
    version: 4,
    lastUpdated: '',
    rules: rules.map(rule => {
      const id = newId()
      return {
        id,
        version: 1,
        expression: 'true',
        enabled: true,
        ref: `ref of ${id}`,
        lastUpdated: '',
        ...rule,
      }
    }),
  }
}

const entryPoint = (phase: RulesetPhase, rules: readonly RuleParts[]): Ruleset =>
  ruleset('zone', phase, rules)

const noLists: ListLookup = () => undefined

function inputOf(zoneRulesets: readonly Ruleset[], more: Partial<PlanInput> = {}): PlanInput {
  const managed: PlanInput['managed'] = (id, version) => {
    const known = managedById(id, version)
    return known && { ruleset: known, program }
  }
  return {
    zone,
    accountRulesets: [],
    zoneRulesets,
    managed,
    lists: noLists,
    redirectLists: () => undefined,
    ...more,
  }
}

function planOf(zoneRulesets: readonly Ruleset[], more: Partial<PlanInput> = {}): ZonePlan {
  return accepted(buildPlan(inputOf(zoneRulesets, more)))
}

function phaseOf(plan: ZonePlan, phase: Phase): PlanPhase {
  const all = [...plan.request, plan.responseHeaders, plan.response]
  return all.find(candidate => candidate?.phase === phase)!
}

function rulesOf(plan: ZonePlan, phase: Phase): readonly PlanRule[] {
  return phaseOf(plan, phase).rulesets.flatMap(({ rules }) => rules)
}

/** The effect of the only rule of the zone in a phase. */
function effectOf(phase: Phase, rule: RuleParts, more: Partial<PlanInput> = {}): PlanEffect {
  return rulesOf(planOf([entryPoint(phase, [rule])], more), phase)[0]!.effect
}

function ofKind<K extends PlanEffect['kind']>(kind: K, effect: PlanEffect): Extract<PlanEffect, { kind: K }> {
  assert.equal(effect.kind, kind)
  return effect as Extract<PlanEffect, { kind: K }>
}

const execute = (id: string, more: object = {}): RuleParts => ({
  action: 'execute',
  actionParameters: { id, version: 'latest', ...more },
})

test('a page of the zone goes before the page of its account, which its zones share', () => {
  const page = (id: CustomPage['id'], content: string, state: CustomPage['state'] = 'customized') =>
    ({ id, content, state, url: null, createdOn: '', modifiedOn: '' }) satisfies CustomPage
  const accountPages = [page('waf_block', 'account'), page('500_errors', '<::RAY_ID::>')]
  const pagesOf = (zonePages: readonly CustomPage[]) => planOf([], { accountPages, zonePages }).customPages
  const shared = pagesOf([])
  assert.deepEqual([...shared.values()], [['account'], ['<', '::RAY_ID::', '>']])
  assert.equal(pagesOf([page('waf_block', '', 'default')]), shared)
  assert.deepEqual(pagesOf([page('waf_block', 'zone')]).get('waf_block'), ['zone'])
})

test('a zone without documents has an empty plan', () => {
  const { origins, ...plan } = planOf([])
  assert.deepEqual(origins.of('site.test'), { servers: [{ url: zone.originUrl, weight: 1 }] })
  assert.deepEqual(plan, {
    zone,
    settings: defaultZoneSettings,
    accessRules: undefined,
    lockdowns: [],
    userAgents: new Map(),
    request: [],
    customErrors: undefined,
    responseHeaders: undefined,
    compression: undefined,
    response: undefined,
    logFields: { request: [], transformedRequest: [], response: [], rawResponse: [], cookies: [] },
    redaction: redactionOf(undefined),
    shadow: undefined,
    sampleRate: 0.01,
    customPages: new Map(),
    originTls: undefined,
  })
})

test('rulesets and rules that are kept without being enforced are not in the plan', () => {
  const managed = 'http_request_firewall_managed'
  const plan = planOf([
    entryPoint('http_request_cache_settings', [
      { action: 'set_cache_settings', expression: 'not an expression' },
    ]),
    entryPoint(managed, [execute('efb7b8c949ac4650a09736fc376e9aee'), execute(owaspRequestRulesetId)]),
  ])
  assert.deepEqual(
    plan.request.map(({ phase }) => phase),
    [managed],
  )
  assert.equal(rulesOf(plan, managed).length, 1)
})

test('a paused zone runs no rules, and is logged as usual', () => {
  const blocks = (kind: 'root' | 'zone') =>
    ruleset(kind, 'http_request_firewall_custom', [{ action: 'block' }])
  const plan = planOf([blocks('zone')], {
    zone: { ...zone, paused: true },
    accountRulesets: [blocks('root')],
    redaction: { ...defaultRedaction, cookies: false },
  })
  const { request, response, responseHeaders, shadow, sampleRate, redaction } = plan
  assert.deepEqual(
    [request, response, responseHeaders, shadow, sampleRate],
    [[], undefined, undefined, undefined, 0],
  )
  assert.equal(redaction.cookies, false)
})

test('the share of sampled requests is the zone’s', () => {
  for (const sampleRate of [0, 0.5, 1]) assert.equal(planOf([], { sampleRate }).sampleRate, sampleRate)
})

test('the redaction of records is the zone’s', () => {
  const redaction = { ...defaultRedaction, cookies: false, queryParameters: ['voucher'] }
  assert.deepEqual(planOf([], { redaction }).redaction, redactionOf(redaction))
})

test('phases are in order, the account before the zone, and phases without rules are left out', () => {
  const block: RuleParts = { action: 'block' }
  const account = [
    ruleset('root', 'http_request_late_transform', [
      { action: 'rewrite', actionParameters: { headers: { x: { operation: 'remove' } } } },
    ]),
    ruleset('root', 'http_request_firewall_custom', [block]),
    ruleset('root', 'http_config_settings', [{ ...block, enabled: false }]),
  ]
  const own = [
    entryPoint('http_request_firewall_custom', [{ ...block, enabled: false }, block]),
    entryPoint('http_request_sanitize', [execute(urlNormalizationRulesetId)]),
    entryPoint('http_response_firewall_managed', [execute(owaspResponseRulesetId)]),
    entryPoint('http_response_headers_transform', [
      { action: 'rewrite', actionParameters: { headers: { x: { operation: 'remove' } } } },
    ]),
    entryPoint('http_request_origin', []),
  ]
  const plan = planOf(own, { accountRulesets: account })
  assert.deepEqual(
    plan.request.map(({ phase, rulesets }) => [phase, ...rulesets.map(({ kind }) => kind)]),
    [
      ['http_request_sanitize', 'zone'],
      ['http_request_firewall_custom', 'root', 'zone'],
      ['http_request_late_transform', 'root'],
    ],
  )
  assert.equal(plan.responseHeaders?.phase, 'http_response_headers_transform')
  assert.equal(plan.response?.phase, 'http_response_firewall_managed')
  assert.deepEqual(
    phaseOf(plan, 'http_request_firewall_custom').rulesets.map(({ rules }) => rules.length),
    [1, 1],
  )
})

test('rules keep their order and the data for records; expressions run', () => {
  const response = { status_code: 451, content: 'no', content_type: 'text/plain' }
  const current = entryPoint('http_request_firewall_custom', [
    { action: 'log', expression: 'http.request.uri.path eq "/a"', description: 'first' },
    { action: 'block', expression: 'http.request.uri.path eq "/b"', actionParameters: { response } },
  ])
  const rules = rulesOf(planOf([current]), 'http_request_firewall_custom')
  assert.deepEqual(
    rules.map(({ matches, ...rule }) => ({ ...rule, matches: matches(viewOf({ path: '/a' })) })),
    [
      {
        id: current.rules[0]!.id,
        ref: current.rules[0]!.ref,
        rulesetId: current.id,
        rulesetVersion: '4',
        description: 'first',
        effect: { kind: 'action', action: 'log' },
        matches: true,
      },
      {
        id: current.rules[1]!.id,
        ref: current.rules[1]!.ref,
        rulesetId: current.id,
        rulesetVersion: '4',
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

test('zones share equal parts: expressions, rulesets of the account, masks', () => {
  const phase = 'http_request_firewall_managed'
  const overrides = { categories: [{ category: 'paranoia-level-3', enabled: false }] }
  const rule = { ...execute(owaspRequestRulesetId, { overrides }), expression: 'http.host eq "shared.test"' }
  const accountRulesets = [ruleset('root', phase, [execute(owaspRequestRulesetId)])]
  const { managed } = inputOf([])
  const [one, other] = [1, 2].map(() =>
    phaseOf(planOf([entryPoint(phase, [rule])], { accountRulesets, managed }), phase),
  )
  assert.equal(one!.rulesets[0], other!.rulesets[0])
  const [first, second] = [one!, other!].map(({ rulesets }) => rulesets[1]!.rules[0]!)
  assert.equal(first!.matches, second!.matches)
  const masks = [first!, second!].map(({ effect }) => ofKind('execute', effect).mask)
  assert.equal(masks[0], masks[1])
})

test('an execution of a managed ruleset: overrides resolved, program shared', () => {
  const overrides = { rules: [{ id: verdictId, score_threshold: 25, action: 'log' }] }
  const key = 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8='
  const effect = effectOf(
    'http_request_firewall_managed',
    execute(owaspRequestRulesetId, { overrides, matched_data: { public_key: key } }),
  )
  const { everyLevel, ...executed } = ofKind('execute', effect)
  assert.equal(everyLevel.isOwn, true)
  assert.deepEqual(executed, {
    kind: 'execute',
    rulesetId: owaspRequestRulesetId,
    rulesetVersion: '3',
    program,
    mask: { enabled: Uint8Array.from([1, 1, 1, 1, 1, 1, 0, 1]) },
    threshold: 25,
    action: 'log',
    lastRuleId: verdictId,
    acts: true,
    ruleIds: ruleIdsOf(program),
    exceptions: new Map(),
    payloadKey: key,
  })
  const response = effectOf('http_response_firewall_managed', execute(owaspResponseRulesetId))
  const { threshold, mask } = ofKind('execute', response)
  assert.deepEqual([threshold, [...mask.enabled]], [5, [1, 0, 0, 0, 0, 0, 1, 1]])
})

test('overrides of rules that the release does not have change nothing', () => {
  const overrides = { rules: [{ id: '0123456789abcdef0123456789abcdef', enabled: false }] }
  const effect = effectOf('http_request_firewall_managed', execute(owaspRequestRulesetId, { overrides }))
  assert.deepEqual([...ofKind('execute', effect).mask.enabled], [1, 1, 1, 1, 1, 1, 0, 1])
})

test('URL normalization needs no release, and can be switched off', () => {
  const on = effectOf('http_request_sanitize', execute(urlNormalizationRulesetId), {
    managed: () => undefined,
  })
  assert.deepEqual(on, { kind: 'normalize-uri' })
  const ruleId = urlNormalizationRuleset.rules[0]!.id
  const rows: readonly (readonly [overrides: object, phases: number])[] = [
    [{ enabled: false }, 0],
    [{ rules: [{ id: ruleId, enabled: false }] }, 0],
    [{ enabled: false, rules: [{ id: ruleId, enabled: true }] }, 1],
  ]
  for (const [overrides, phases] of rows) {
    const rule = execute(urlNormalizationRulesetId, { overrides })
    assert.equal(planOf([entryPoint('http_request_sanitize', [rule])]).request.length, phases)
  }
})

test('a custom ruleset runs its own rules, compiled once for all rules that execute it', () => {
  const phase = 'http_request_firewall_custom'
  const custom = ruleset('custom', phase, [
    { action: 'block', expression: 'http.request.body.raw contains "x"' },
    { action: 'skip', actionParameters: { ruleset: 'current' } },
  ])
  const plan = planOf([custom, entryPoint(phase, [execute(custom.id), execute(custom.id)])])
  const [first, second] = rulesOf(plan, phase).map(({ effect }) => ofKind('execute-custom', effect).ruleset)
  assert.equal(first, second)
  assert.deepEqual([first!.id, first!.version, first!.kind], [custom.id, '4', 'custom'])
  assert.deepEqual(
    first!.rules.map(rule => [rule.rulesetId, rule.effect.kind]),
    [
      [custom.id, 'action'],
      [custom.id, 'skip'],
    ],
  )
  assert.equal(phaseOf(plan, phase).readsBody, true)
})

test('a custom ruleset is found at its own level only', () => {
  const phase = 'http_request_firewall_custom'
  const custom = ruleset('custom', phase, [{ action: 'block' }])
  const accountRulesets = [custom]
  assert.equal(
    problemOf(buildPlan(inputOf([entryPoint(phase, [execute(custom.id)])], { accountRulesets }))).code,
    20216,
  )
  const root = ruleset('root', phase, [execute(custom.id)])
  assert.equal(
    rulesOf(planOf([], { accountRulesets: [custom, root] }), phase)[0]!.effect.kind,
    'execute-custom',
  )
})

test('effects of skip rules', () => {
  const rows: readonly (readonly [
    parameters: Rule['actionParameters'],
    logging: boolean | undefined,
    want: object,
  ])[] = [
    [{ ruleset: 'current' }, undefined, { current: 'ruleset' }],
    [{ phase: 'current' }, false, { current: 'phase', logs: false }],
    [
      { phases: ['http_ratelimit', 'http_request_firewall_managed'] },
      true,
      { phases: new Set(['http_ratelimit', 'http_request_firewall_managed']) },
    ],
    [{ rulesets: [owaspRequestRulesetId] }, undefined, { rulesets: new Set([owaspRequestRulesetId]) }],
    [{ rules: { [owaspRequestRulesetId]: [verdictId] } }, undefined, { excepts: true }],
    [{ targets: [{ tag: 'attack-sqli', collection: 'ARGS' }] }, undefined, { excepts: true }],
    [{ products: ['waf', 'bic'] }, undefined, { products: new Set(['waf', 'bic']) }],
  ]
  for (const [actionParameters, enabled, want] of rows) {
    const rule = { action: 'skip', actionParameters: actionParameters! }
    const effect = effectOf('http_request_firewall_custom', {
      ...rule,
      ...(enabled === undefined ? {} : { logging: { enabled } }),
    })
    assert.deepEqual(effect, {
      kind: 'skip',
      current: undefined,
      phases: new Set(),
      rulesets: new Set(),
      products: new Set(),
      excepts: false,
      logs: true,
      ...want,
    })
  }
})

test('rewrites: static parts and expressions are byte strings, unnamed parts are unchanged', () => {
  const uri = ofKind(
    'rewrite-uri',
    effectOf('http_request_transform', {
      action: 'rewrite',
      actionParameters: { uri: { path: { expression: 'concat("/v1", http.request.uri.path)' } } },
    }),
  )
  assert.deepEqual([uri.path!(viewOf({ path: '/a' })), uri.query], ['/v1/a', undefined])
  const query = ofKind(
    'rewrite-uri',
    effectOf('http_request_transform', {
      action: 'rewrite',
      actionParameters: { uri: { query: { value: '' } } },
    }),
  )
  assert.deepEqual([query.path, query.query!(viewOf())], [undefined, ''])
  const { changes } = ofKind(
    'rewrite-headers',
    effectOf('http_request_late_transform', {
      action: 'rewrite',
      actionParameters: {
        headers: {
          'X-Name': { operation: 'set', value: 'Zoë' },
          'x-first': { operation: 'set', expression: 'http.request.headers["x-a"][0]' },
          'x-old': { operation: 'remove' },
        },
      },
    }),
  )
  const texts = (view = viewOf()): unknown =>
    changes.map(change => [change.name, change.operation, 'value' in change ? change.value(view) : ''])
  assert.deepEqual(texts(), [
    ['X-Name', 'set', bytesOfText('Zoë')],
    ['x-first', 'set', undefined],
    ['x-old', 'remove', ''],
  ])
  const [, first] = changes
  assert.equal(first?.operation === 'set' && first.value(viewOf({ headers: [['X-A', '1']] })), '1')
})

test('redirects, routes and settings', () => {
  const redirect = ofKind(
    'redirect',
    effectOf('http_request_dynamic_redirect', {
      action: 'redirect',
      actionParameters: { from_value: { target_url: { value: 'https://a.test/' }, status_code: 301 } },
    }),
  )
  assert.deepEqual(
    [redirect.status, redirect.preserveQuery, redirect.target(viewOf())],
    [301, false, 'https://a.test/'],
  )
  const dynamic = ofKind(
    'redirect',
    effectOf('http_request_dynamic_redirect', {
      action: 'redirect',
      actionParameters: {
        from_value: {
          target_url: { expression: 'concat("https://", http.host)' },
          preserve_query_string: true,
        },
      },
    }),
  )
  assert.deepEqual(
    [dynamic.status, dynamic.preserveQuery, dynamic.target(viewOf({ host: 'b.test' }))],
    [302, true, 'https://b.test'],
  )
  const actionParameters = { host_header: 'in.test', origin: { port: 8443 }, sni: { value: 'sni.test' } }
  assert.deepEqual(effectOf('http_request_origin', { action: 'route', actionParameters }), {
    kind: 'route',
    hostHeader: 'in.test',
    sni: 'sni.test',
    host: undefined,
    port: 8443,
  })
  const unset = {
    underAttack: undefined,
    verifiesOrigin: undefined,
    browserCheck: undefined,
    hotlinkProtection: undefined,
  }
  const rows: readonly (readonly [object, object])[] = [
    [{ security_level: 'under_attack' }, { underAttack: true }],
    [{ security_level: 'off' }, { underAttack: false }],
    [{ ssl: 'strict' }, { verifiesOrigin: true }],
    [
      { ssl: 'full', security_level: 'high' },
      { underAttack: false, verifiesOrigin: false },
    ],
    [
      { bic: true, hotlink_protection: false },
      { browserCheck: true, hotlinkProtection: false },
    ],
    [{ ssl: 'off', autominify: { css: true } }, {}],
  ]
  for (const [parameters, set] of rows)
    assert.deepEqual(
      effectOf('http_config_settings', {
        action: 'set_config',
        actionParameters: parameters as NonNullable<Rule['actionParameters']>,
      }),
      { kind: 'configure', ...unset, ...set },
    )
})

test('the body is read for phases that use it', () => {
  const phase = 'http_ratelimit'
  const ratelimit = { characteristics: ['ip.src'], period: 10, requests_per_period: 5 }
  const rows: readonly (readonly [name: string, rule: RuleParts, want: boolean])[] = [
    ['a filter that does not', { action: 'block', ratelimit }, false],
    ['a filter', { action: 'block', ratelimit, expression: 'http.request.body.size gt 5' }, true],
    [
      'the counted requests',
      { action: 'block', ratelimit: { ...ratelimit, counting_expression: 'http.request.body.raw ne ""' } },
      true,
    ],
    [
      'a characteristic',
      { action: 'block', ratelimit: { ...ratelimit, characteristics: ['http.request.body.mime'] } },
      true,
    ],
  ]
  for (const [name, rule, want] of rows)
    assert.equal(phaseOf(planOf([entryPoint(phase, [rule])]), phase).readsBody, want, name)
})

test('lists are read at the time of the request', () => {
  const blocked = new Set(['192.0.2.7'])
  const lists: ListLookup = (name, type) =>
    name === 'bad' && type === 'Ip' ? value => blocked.has(String(value)) : undefined
  const rule = { action: 'block', expression: 'ip.src in $bad' }
  const plan = planOf([entryPoint('http_request_firewall_custom', [rule])], { lists })
  const [planned] = rulesOf(plan, 'http_request_firewall_custom')
  assert.equal(planned!.matches(viewOf({ clientIp: '192.0.2.7' })), true)
  blocked.clear()
  assert.equal(planned!.matches(viewOf({ clientIp: '192.0.2.7' })), false)
  const other: ListLookup = (name, type) => (name === 'bad' && type === 'Ip' ? () => true : undefined)
  const [same] = rulesOf(
    planOf([entryPoint('http_request_firewall_custom', [rule])], { lists: other }),
    'http_request_firewall_custom',
  )
  assert.equal(same!.matches(viewOf({ clientIp: '198.51.100.9' })), true)
  assert.equal(
    problemOf(buildPlan(inputOf([entryPoint('http_request_firewall_custom', [rule])]))).code,
    20205,
  )
})

test('log fields of all enabled rules, each name once per list', () => {
  const rule = (actionParameters: NonNullable<Rule['actionParameters']>, enabled = true): RuleParts => ({
    action: 'log_custom_field',
    enabled,
    actionParameters,
  })
  const current = entryPoint('http_log_custom_fields', [
    rule({ request_fields: [{ name: 'accept' }, { name: 'x-a' }], cookie_fields: [{ name: 'Sid' }] }),
    rule({ request_fields: [{ name: 'x-off' }] }, false),
    rule({ transformed_request_fields: [{ name: 'x-b' }], request_fields: [{ name: 'x-a' }] }),
    rule({
      response_fields: [{ name: 'server' }, { name: 'set-cookie', preserve_duplicates: true }],
      raw_response_fields: [{ name: 'server' }],
    }),
  ])
  const plan = planOf([current])
  assert.deepEqual(plan.logFields, {
    request: ['accept', 'x-a'],
    transformedRequest: ['x-b'],
    response: [
      { name: 'server', preserveDuplicates: false },
      { name: 'set-cookie', preserveDuplicates: true },
    ],
    rawResponse: [{ name: 'server', preserveDuplicates: false }],
    cookies: ['Sid'],
  })
  assert.deepEqual(plan.request, [])
})

test('a shadow is a separate execution', () => {
  const shadow: Shadow = {
    zoneId: zone.id,
    enabled: true,
    version: 'latest',
    paranoiaLevel: 2,
    scoreThreshold: 25,
    sampleRate: 0.5,
    modifiedOn: '',
  }
  const { sampleRate, paranoiaLevel, execution } = planOf([], { shadow }).shadow!
  assert.deepEqual([sampleRate, paranoiaLevel, execution.threshold], [0.5, 2, 25])
  assert.deepEqual([...execution.mask.enabled], [1, 1, 1, 1, 0, 1, 0, 1])
  assert.equal(planOf([], { shadow: { ...shadow, enabled: false } }).shadow, undefined)
  assert.equal(planOf([], { shadow: { ...shadow, version: '99' } }).shadow, undefined)
})

test('a plan that cannot be built is a problem', () => {
  const current = entryPoint('http_request_firewall_managed', [execute(owaspRequestRulesetId)])
  const gone = problemOf(buildPlan(inputOf([current], { managed: () => undefined })))
  assert.deepEqual([gone.status, gone.code], [400, 20216])
  assert.match(gone.message, /ruleset 4814384a9e5d4991b9815dcfc25d2f1f version latest/)
  const broken = entryPoint('http_request_firewall_custom', [{ action: 'block', expression: 'nonsense' }])
  assert.equal(problemOf(buildPlan(inputOf([broken]))).code, 20205)
  const custom = ruleset('custom', 'http_request_firewall_managed', [execute(owaspRequestRulesetId)])
  const nested = entryPoint('http_request_firewall_managed', [execute(custom.id)])
  assert.match(problemOf(buildPlan(inputOf([custom, nested]))).message, /from within a custom ruleset/)
})

test('values of headers may be numbers, addresses and Booleans', () => {
  const parameters = (expression: string) => ({ headers: { 'x-new': { operation: 'set', expression } } })
  for (const [expression, want] of [
    ['ip.src', '2001:db8::1'],
    ['cf.bot_management.score', '1'],
    ['ssl', 'true'],
    ['http.request.headers["none"][0]', undefined],
    ['len(http.request.headers["none"])', undefined],
  ] as const) {
    const rule = { action: 'rewrite', actionParameters: parameters(expression) }
    const { changes } = ofKind('rewrite-headers', effectOf('http_request_late_transform', rule))
    const [change] = changes
    assert.ok(change !== undefined && change.operation !== 'remove')
    const text = change.value(viewOf({ clientIp: '2001:DB8:0::1', scheme: 'https' }))
    if (expression === 'cf.bot_management.score') assert.match(String(text), /^\d+$/)
    else assert.equal(text, want, expression)
  }
})

test('a rule with a check of credentials matches only those whose password has leaked', () => {
  const exposedCredentialCheck = { username_expression: 'http.host', password_expression: 'http.user_agent' }
  const [rule] = rulesOf(
    planOf([entryPoint('http_request_firewall_custom', [{ action: 'block', exposedCredentialCheck }])]),
    'http_request_firewall_custom',
  )
  const matches = (password: string, leaked: boolean) =>
    rule!.matches(
      viewOf({
        headers: [['User-Agent', password]],
        credentials: { detected: false, passwordLeaked: false, leaked: new Map([['known', leaked]]) },
      }),
    )
  assert.deepEqual(
    [matches('known', true), matches('known', false), matches('other', true)],
    [true, false, false],
  )
})
