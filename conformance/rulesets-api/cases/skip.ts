import {
  type Case,
  custom,
  enterprise,
  entryPoint,
  execute,
  lastRule,
  limits,
  managed,
  owasp,
  put,
  refused,
  taken,
  unknownId,
} from '../case.ts'

const skip = (parameters: object) => ({
  action: 'skip',
  expression: 'http.request.uri.path eq "/editor"',
  action_parameters: parameters,
})
const products = ['bic', 'hot', 'rateLimit', 'securityLevel', 'uaBlock', 'waf', 'zoneLockdown']

export const skipCases: readonly Case[] = [
  ...[custom, limits, managed].map(phase =>
    taken(`4.2 the rest of the ruleset, in ${phase}`, phase, skip({ ruleset: 'current' })),
  ),
  taken('4.2 a managed ruleset', managed, skip({ rulesets: [owasp] })),
  taken('4.2 a rule of a managed ruleset', managed, skip({ rules: { [owasp]: [lastRule] } })),
  taken('4.2 rules and rulesets', managed, skip({ rules: { [owasp]: [lastRule] }, rulesets: [owasp] })),
  taken('4.2 later phases', custom, skip({ phases: ['http_ratelimit', 'http_request_firewall_managed'] })),
  taken(
    '4.2 the phase of bots, for rules that are moved here',
    custom,
    skip({ phases: ['http_request_sbfm'] }),
  ),
  taken('4.2 phases and ruleset', custom, skip({ phases: ['http_ratelimit'], ruleset: 'current' })),
  taken('4.2 every product', custom, skip({ products })),
  taken('4.2 the rest of the phase', custom, skip({ phase: 'current' })),
  taken('4.2 phase and products', custom, skip({ phase: 'current', products: ['waf'] })),
  ...[
    [{ rules: { [owasp]: [unknownId] } }, managed, 'a rule that is not in the ruleset'],
    [{ rules: { [unknownId]: [lastRule] } }, managed, 'rules of an unknown ruleset'],
    [{ rulesets: [unknownId] }, managed, 'an unknown ruleset'],
    [{ rulesets: [owasp] }, custom, 'a ruleset of another phase'],
    [{ ruleset: 'current', rulesets: [owasp] }, managed, 'ruleset and rulesets'],
    [{ ruleset: 'current', rules: { [owasp]: [lastRule] } }, managed, 'ruleset and rules'],
    [{ phases: ['http_ratelimit'] }, managed, 'phases outside of custom rules'],
    [{ products: ['waf'] }, managed, 'products outside of custom rules'],
    [{ phase: 'current' }, managed, 'the phase outside of custom rules'],
  ].map(([parameters, phase, name]) =>
    refused(`4.2 refused: ${name}`, phase as string, skip(parameters as object), 20220, /./),
  ),
  ...[
    [{ ruleset: 'all' }, 'another word for the ruleset'],
    [{ products: ['WAF'] }, 'a product in another case'],
    [{ phases: ['http_log_custom_fields'] }, 'a phase that cannot be skipped'],
  ].map(([parameters, name]) =>
    refused(`4.2 refused: ${name}`, custom, skip(parameters as object), 20203, /./),
  ),
  refused(
    '4.2 a version is not for skip',
    managed,
    skip({ version: 'latest' }),
    20201,
    'invalid JSON: unknown field "version"',
  ),
  refused('4.2 nor is bic', custom, skip({ bic: true }), 20201, 'invalid JSON: unknown field "bic"'),
  {
    name: '4.2 at the end of the list it is no error',
    request: ['PUT', entryPoint(managed), { rules: [execute(), skip({ rulesets: [owasp] })] }],
    result: { rules: [{ action: 'execute' }, { action: 'skip' }] },
  },
  {
    name: '4.2 an exception of the account for Enterprise zones',
    request: [
      'PUT',
      entryPoint(managed, '/accounts/<account>'),
      { rules: [{ ...skip({ rulesets: [owasp] }), expression: `(http.host eq "a") and ${enterprise}` }] },
    ],
    result: { rules: [{ logging: { enabled: true } }] },
  },
  ...['true', `http.host eq "a" and ${enterprise}`, `${enterprise} and (http.host eq "a")`].map(
    (expression): Case => ({
      name: `4.2 an exception of the account with ${expression}`,
      request: [
        'PUT',
        entryPoint(managed, '/accounts/<account>'),
        { rules: [{ ...skip({ rulesets: [owasp] }), expression }] },
      ],
      status: 400,
      error: [20221, /cf\.zone\.plan eq "ENT"/, '/rules/0/expression'],
    }),
  ),
  {
    name: '7.6 a skip rule before the execute rule',
    given: [put(managed, execute())],
    request: [
      'POST',
      '/zones/<zone>/rulesets/<ruleset>/rules',
      { ...skip({ rulesets: [owasp] }), position: { before: '<rule1>' } },
    ],
    result: { rules: [{ action: 'skip' }, { action: 'execute', id: '<rule1>' }] },
  },
]
