import {
  block,
  type Case,
  custom,
  entryPoint,
  execute,
  managed,
  put,
  refused,
  taken,
  zoneRules,
} from '../case.ts'

const unknown = (name: string) => `invalid JSON: unknown field "${name}"`
const create = (
  name: string,
  body: object,
  code: number,
  pointer?: string,
  scope = '/zones/<zone>',
): Case => ({
  name,
  request: ['POST', `${scope}/rulesets`, body],
  status: 400,
  error: pointer === undefined ? [code, /./] : [code, /./, pointer],
})
const base = { kind: 'zone', name: 'x', phase: custom }
const path = '/zones/<zone>/rulesets/<ruleset>'

const strict: readonly Case[] = [
  ...['kind', 'phase', 'id', 'version', 'last_updated', 'source', 'colour'].map(
    (name): Case => ({
      name: `8.1 ${name} in PUT of an entry point`,
      request: ['PUT', entryPoint(custom), { [name]: 'zone', rules: [] }],
      status: 400,
      error: [20201, unknown(name), `/${name}`],
    }),
  ),
  {
    name: '8.1 kind, name and phase that stay the same in PUT by id',
    given: [['POST', '/zones/<zone>/rulesets', base]],
    request: ['PUT', path, { ...base, description: '', rules: [] }],
    result: { name: 'x', version: '2' },
  },
  ...[{ kind: 'custom' }, { name: 'y' }, { phase: managed }].map(
    (change): Case => ({
      name: `8.1 another ${Object.keys(change)[0]} in PUT by id`,
      given: [['POST', '/zones/<zone>/rulesets', base]],
      request: ['PUT', path, { ...base, ...change }],
      status: 400,
      error: [20215, /cannot be changed/, `/${Object.keys(change)[0]}`],
    }),
  ),
  {
    name: '8.1 a read ruleset is sent back by id',
    given: [zoneRules('a')],
    request: [
      'PUT',
      path,
      {
        id: '<ruleset>',
        version: '1',
        last_updated: '2026-01-01T00:00:00Z',
        source: 'x',
        rules: [{ id: '<a>', version: '1', last_updated: '2026-01-01T00:00:00Z', ...block('a') }],
      },
    ],
    result: { version: '2', rules: [{ id: '<a>', version: '1' }] },
  },
  {
    name: '8.1 output-only members of a rule are ignored',
    request: put(
      custom,
      block('a', {
        version: '7',
        last_updated: '2026-01-01T00:00:00Z',
        categories: ['x'],
        score_threshold: 4,
      }),
    ),
    result: { rules: [{ version: '1', categories: undefined, score_threshold: undefined }] },
  },
  refused(
    '8.1 version of execute in skip',
    managed,
    { ...execute(), action: 'skip', action_parameters: { version: 'latest' } },
    20201,
    unknown('version'),
  ),
  refused(
    '8.1 id of execute in log',
    custom,
    block('a', { action: 'log', action_parameters: { id: 'x' } }),
    20201,
    unknown('id'),
  ),
  create('8.1 an unknown member of a ruleset', { ...base, colour: 1 }, 20201, '/colour'),
]

const missing: readonly Case[] = [
  ...['kind', 'name', 'phase'].map(name =>
    create(`8.2 ${name} is missing`, { ...base, [name]: undefined }, 20202, `/${name}`),
  ),
  create('8.2 a name that is empty', { ...base, name: '' }, 20202, '/name'),
  create('8.2 kind root in a zone', { ...base, kind: 'root' }, 20203, '/kind'),
  create('8.2 kind zone in an account', base, 20203, '/kind', '/accounts/<account>'),
  create('8.2 kind managed', { ...base, kind: 'managed' }, 20203, '/kind'),
  create('8.2 an unknown kind', { ...base, kind: 'area' }, 20203, '/kind'),
  create('8.2 an unknown phase', { ...base, phase: 'http_nothing' }, 20203, '/phase'),
  {
    name: '8.2 an unknown phase in a path',
    request: ['GET', entryPoint('http_nothing')],
    status: 404,
  },
  {
    name: '8.2 PUT of an unknown phase in a path',
    request: ['PUT', entryPoint('http_nothing'), { rules: [] }],
    status: 400,
  },
]

const long = (length: number) => {
  const frame = 'http.host eq ""'
  return `http.host eq "${'x'.repeat(length - frame.length)}"`
}

const rules: readonly Case[] = [
  taken('8.2 an expression of 4096 characters', custom, block('a', { expression: long(4096) })),
  refused(
    '8.2 an expression of 4097 characters',
    custom,
    block('a', { expression: long(4097) }),
    20205,
    /4096/,
    '/expression',
  ),
  refused(
    '8.2 an expression that is a number',
    custom,
    block('a', { expression: 5 }),
    20203,
    /./,
    '/expression',
  ),
  refused('8.2 an action that is missing', custom, { expression: 'true' }, 20202, /./, '/action'),
  refused('8.2 enabled that is a text', custom, block('a', { enabled: 'true' }), 20203, /./, '/enabled'),
  refused('8.2 a rule that is null', custom, null, 20203, /./, ''),
  {
    name: '8.2 two rules with one ref',
    request: ['PUT', entryPoint(custom), { rules: [block('a'), block('a')] }],
    status: 400,
    error: [20209, /./, '/rules/1/ref'],
  },
  {
    name: '8.2 a ref that another rule has, in POST of a rule',
    given: [zoneRules('a')],
    request: ['POST', `${path}/rules`, block('a')],
    status: 400,
    error: [20209, /./, '/ref'],
  },
  {
    name: '8.2 a list that is not there',
    request: put(custom, { action: 'block', expression: 'ip.src in $nowhere' }),
    status: 400,
    error: [20205, /nowhere/],
  },
  {
    name: '8.2 a list that is there',
    given: [['POST', '/accounts/<account>/rules/lists', { kind: 'ip', name: 'office' }]],
    request: put(custom, { action: 'block', expression: 'ip.src in $office' }),
    result: { rules: [{ expression: 'ip.src in $office' }] },
  },
  {
    name: '8.2 a path id that is not one',
    request: ['GET', '/zones/<zone>/rulesets/ABC'],
    status: 404,
    error: [7003, /^Could not route to /],
  },
  {
    name: '8.2 rules that are no list',
    request: ['PUT', entryPoint(custom), { rules: {} }],
    status: 400,
    error: [20203, /./, '/rules'],
  },
  {
    name: '8.2 no body',
    request: ['PUT', entryPoint(custom)],
    status: 400,
  },
  {
    name: '8.3 a thousand rules',
    request: ['PUT', entryPoint(custom), { rules: Array(1000).fill({ action: 'log', expression: 'true' }) }],
  },
]

export const validationCases: readonly Case[] = [...strict, ...missing, ...rules]
