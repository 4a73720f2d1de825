import {
  type Case,
  closedIds,
  Exactly,
  entryPoint,
  execute,
  lastRule,
  levels,
  managed,
  owasp,
  put,
  refused,
  taken,
  unknownId,
} from '../case.ts'

const overriding = (overrides: unknown) => execute({ overrides })
const accepts = (name: string, overrides: object): Case => taken(name, managed, overriding(overrides))
const refuses = (name: string, overrides: unknown, code: number, message: RegExp | string = /./): Case =>
  refused(name, managed, overriding(overrides), code, message)

const level = (number: number, enabled: boolean) => ({ category: `paranoia-level-${number}`, enabled })

const seed = {
  id: owasp,
  version: 'latest',
  overrides: {
    categories: [level(3, false), level(4, false)],
    rules: [{ id: lastRule, score_threshold: 60, action: 'managed_challenge' }],
  },
}

export const overrideCases: readonly Case[] = [
  accepts('5.1 everything at once', {
    action: 'log',
    enabled: true,
    categories: [level(4, false)],
    rules: [{ id: lastRule, action: 'managed_challenge', score_threshold: 25 }],
  }),
  accepts('5.1 an action alone', { action: 'log' }),
  accepts('5.1 off, but for a category', { enabled: false, categories: [level(1, true)] }),
  accepts('5.1 a category with an action', {
    categories: [{ category: 'paranoia-level-1', action: 'block' }],
  }),
  accepts('5.3 four levels with a needless action', {
    categories: [1, 2, 3, 4].map(number => ({ ...level(number, number < 3), action: 'block' })),
  }),
  accepts('5.2 two entries for one category', { categories: [level(1, true), level(1, false)] }),
  accepts('5.3 a category that no rule has', { categories: [{ category: 'wordpress', enabled: false }] }),
  accepts('5.3 order and members are as sent', {
    rules: [{ score_threshold: 40, id: lastRule }],
    categories: [level(4, false), level(2, true)],
  }),
  ...['block', 'managed_challenge', 'js_challenge', 'log', 'challenge'].map(action =>
    accepts(`7.4 the last rule takes ${action}`, { rules: [{ id: lastRule, action }] }),
  ),
  ...[1, 25, 40, 60, 1000].map(score_threshold =>
    accepts(`7.4 threshold ${score_threshold}`, { rules: [{ id: lastRule, score_threshold }] }),
  ),
  ...[1, 2, 3].map(top =>
    accepts(`7.4 paranoia level ${top}`, {
      categories: [2, 3, 4].filter(number => number > top).map(number => level(number, false)),
    }),
  ),
  accepts('7.5 the last rule off', { rules: [{ id: lastRule, enabled: false }] }),
  refuses('5.1 no rule id', { rules: [{ enabled: false }] }, 20202, /id/),
  refuses('5.1 no category', { categories: [{ enabled: false }] }, 20202, /category/),
  refuses('5.1 an empty category', { categories: [{ category: '', enabled: false }] }, 20202),
  refuses('5.1 an unknown member', { colour: 1 }, 20201, 'invalid JSON: unknown field "colour"'),
  refuses('5.1 a threshold for the whole ruleset', { score_threshold: 40 }, 20201, /unknown field/),
  refuses(
    '5.1 a threshold for a category',
    { categories: [{ category: 'a', score_threshold: 4 }] },
    20201,
    /unknown/,
  ),
  refuses('5.1 sensitivity is for DDoS', { sensitivity_level: 'low' }, 20203),
  refuses('5.1 a threshold that is no integer', { rules: [{ id: lastRule, score_threshold: 2.5 }] }, 20203),
  refuses('5.1 a threshold that is a text', { rules: [{ id: lastRule, score_threshold: '40' }] }, 20203),
  refuses('5.1 enabled that is a text', { enabled: 'false' }, 20203),
  refuses('5.1 an action that rules cannot take', { action: 'redirect' }, 20203),
  refuses('5.3 an unknown rule', { rules: [{ id: unknownId, enabled: false }] }, 20211),
  accepts('8.2 empty categories: clients refuse them, the API does not', { categories: [] }),
  accepts('8.2 empty rules: clients refuse them, the API does not', { rules: [] }),
  accepts('8.2 empty overrides: clients refuse them, the API does not', {}),
  {
    name: '7.2 the list tells name and id',
    request: ['GET', '/accounts/<account>/rulesets'],
    result: [
      {
        id: owasp,
        name: /OWASP/,
        kind: 'managed',
        source: 'firewall_managed',
        phase: managed,
        version: /^\d+$/,
      },
      {},
      ...closedIds('account').map(id => ({ id, kind: 'managed' })),
    ],
  },
  {
    name: '7.3 scoring rules and the last rule',
    request: ['GET', `/accounts/<account>/rulesets/${owasp}`],
    result: {
      rules: [
        {
          action: 'score',
          action_parameters: { increment: 5 },
          categories: ['paranoia-level-1'],
          description: /^\d{6}: /,
          enabled: true,
          expression: undefined,
          score_threshold: undefined,
        },
        {
          id: lastRule,
          action: 'block',
          score_threshold: 40,
          description: '949110: Inbound Anomaly Score Exceeded',
          enabled: true,
          expression: undefined,
          categories: undefined,
        },
      ],
    },
  },
  ...levels.map(
    ({ level: at, scope }): Case => ({
      name: `7.6 PUT of the entry point deploys, at the ${at}`,
      request: [
        'PUT',
        entryPoint(managed, scope),
        { rules: [{ ...execute(), expression: 'cf.zone.plan eq "ENT"' }] },
      ],
      result: { version: '1', rules: [{ action_parameters: new Exactly({ id: owasp, version: 'latest' }) }] },
    }),
  ),
  {
    name: '7.6 POST of a rule deploys in an entry point that is there',
    given: [['PUT', entryPoint(managed), { rules: [] }]],
    request: ['POST', '/zones/<zone>/rulesets/<ruleset>/rules', execute()],
    result: { version: '2', rules: [{ action: 'execute', enabled: true }] },
  },
  {
    name: '7.6 PATCH tunes, with the example as it is written',
    given: [put(managed, execute())],
    request: [
      'PATCH',
      '/zones/<zone>/rulesets/<ruleset>/rules/<rule1>',
      { action: 'execute', expression: 'true', enabled: true, action_parameters: seed },
    ],
    result: {
      version: '2',
      rules: [{ id: '<rule1>', version: '2', action_parameters: new Exactly(seed) }],
    },
  },
  {
    name: '7.7 payload logging is switched off by PATCH without it',
    given: [
      put(managed, execute({ matched_data: { public_key: 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8=' } })),
    ],
    request: ['PATCH', '/zones/<zone>/rulesets/<ruleset>/rules/<rule1>', execute()],
    result: { rules: [{ action_parameters: { matched_data: undefined } }] },
  },
]
