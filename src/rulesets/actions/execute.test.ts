import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replaceEntryPoint } from '../documents/documents.ts'
import { owaspRequestRulesetId as owasp, owaspResponseRulesetId } from '../managed/owasp.ts'
import { accepted, check, contextOf, general, ruleId } from '../testing/documents.ts'
import { acceptParameters, customRuleset, refuseParameters } from '../testing/parameters.ts'

const verdict = '6179ae15870a4bb7b2d480d4843b323c'
const custom = 'http_request_firewall_custom'
const managed = 'http_request_firewall_managed'

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
    [
      { id: unknown },
      20210,
      '/id',
      general(unknown, 'id', 'there is no ruleset with this id to execute; GET /rulesets lists them'),
    ],
    [
      { id: 'owasp' },
      20210,
      '/id',
      general('owasp', 'id', 'there is no ruleset with this id to execute; GET /rulesets lists them'),
    ],
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
      20203,
      '/matched_data/public_key',
      general('x', 'public_key', 'it must be the standard base64 of 32 bytes'),
    ],
    [{ id: owasp, overrides: { level: 1 } }, 20201, '/overrides/level', /unknown field "level"/],
    [{ id: owasp, overrides: { enabled: 1 } }, 20203, '/overrides/enabled', /true or false/],
    [
      { id: owasp, overrides: { action: 'score' } },
      20203,
      '/overrides/action',
      /^'score' .* it must be one of block, challenge/,
    ],
    [
      { id: owasp, overrides: { sensitivity_level: 'low' } },
      20203,
      '/overrides/sensitivity_level',
      /because only DDoS/,
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
      new RegExp(`the ruleset ${owasp} has no rule with this id; GET /rulesets/${owasp} lists its rules`),
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
      /because only DDoS/,
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

const key = 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8='

test('execute of managed rulesets: stored parameters', () => {
  const overrides = {
    rules: [
      { id: verdict, score_threshold: 25 },
      { id: verdict, action: 'log' },
    ],
    enabled: true,
    categories: [
      { category: 'paranoia-level-4', enabled: false, action: 'block' },
      { category: 'of-a-later-release', enabled: false },
    ],
  }
  const asked = { phase: managed, action: 'execute' } as const
  const [pinned, encrypted] = acceptParameters(
    asked,
    { version: '3', id: owasp, overrides },
    { id: owasp, matched_data: { public_key: key } },
  )
  assert.equal(
    JSON.stringify(pinned!.actionParameters),
    JSON.stringify({ version: '3', id: owasp, overrides }),
  )
  assert.deepEqual(encrypted!.actionParameters, {
    id: owasp,
    matched_data: { public_key: key },
    version: 'latest',
  })
  refuseParameters(asked, [
    [
      { id: owasp, matched_data: { public_key: key.slice(1) } },
      20203,
      '/matched_data/public_key',
      /the standard base64 of 32 bytes/,
    ],
    // The last letter says more than 32 bytes hold.
    [
      { id: owasp, matched_data: { public_key: key.replace('8=', '9=') } },
      20203,
      '/matched_data/public_key',
      /32 bytes/,
    ],
    [{ id: owasp, matched_data: {} }, 20202, '/matched_data/public_key', /cannot be blank/],
    [
      { id: 'efb7b8c949ac4650a09736fc376e9aee' },
      20206,
      '/id',
      /no meaning on a self-hosted edge: the rules of the Cloudflare Managed Ruleset/,
    ],
  ])
})

test('execute of custom rulesets', () => {
  const first = contextOf('zone')
  const shared = customRuleset(first, custom, { action: 'log', expression: 'ssl' })
  const limits = customRuleset(first, 'http_ratelimit', {
    action: 'skip',
    expression: 'ssl',
    action_parameters: { ruleset: 'current' },
  })
  const asked = { phase: custom, action: 'execute', context: contextOf('zone', [shared, limits]) } as const
  const [rule] = acceptParameters(asked, { id: shared.id })
  assert.deepEqual(rule!.actionParameters, { id: shared.id, version: 'latest' })
  refuseParameters(asked, [
    [{ id: limits.id }, 20210, '/id', /the phase of the ruleset is http_ratelimit and not/],
    [{ id: shared.id, version: '1' }, 20210, '/version', /runs in its latest version/],
    [{ id: shared.id, overrides: {} }, 20210, '/overrides', /only managed rulesets take it/],
    [{ id: shared.id, matched_data: { public_key: key } }, 20210, '/matched_data', /only managed/],
  ])
  // Rulesets of another scope are not known.
  refuseParameters({ ...asked, context: contextOf('zone') }, [
    [{ id: shared.id }, 20210, '/id', /no ruleset/],
  ])
})

test('execute of the URL normalization', () => {
  const id = '70339d97bdb34195bbf054b1ebe81f76'
  const asked = { phase: 'http_request_sanitize', action: 'execute' } as const
  assert.deepEqual(acceptParameters(asked, { id })[0]!.actionParameters, { id, version: 'latest' })
  refuseParameters(asked, [[{ id: owasp }, 20210, '/id', /phase of the ruleset is/]])
  refuseParameters({ ...asked, phase: managed }, [[{ id }, 20210, '/id', /is http_request_sanitize and not/]])
})
