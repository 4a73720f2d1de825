import { block, type Case, custom, entryPoint, type Request, unknownId, zoneRules } from '../case.ts'

const path = '/zones/<zone>/rulesets/<ruleset>'
const rule = (ref: string) => `${path}/rules/<${ref}>`
/** Rules are identified by their refs; `<a>`, `<b>` … keep their values from before the request. */
const abcd = zoneRules('a', 'b', 'c', 'd')
const order = (refs: string) => ({ rules: [...refs].map(ref => ({ ref })) })

const put = (name: string, body: object, result: object): Case => ({
  name,
  given: [abcd],
  request: ['PUT', path, body],
  result,
})

const replacing: readonly Case[] = [
  put(
    '2.1 an id alone keeps the rule and positions it',
    { rules: [{ id: '<c>' }, { id: '<a>' }] },
    {
      version: '2',
      rules: [
        { id: '<c>', ref: 'c', version: '1', expression: 'http.request.uri.path eq "/c"' },
        { id: '<a>', version: '1' },
      ],
    },
  ),
  put(
    '2.1 an id with another definition changes the rule',
    { rules: [{ id: '<a>', action: 'log', expression: 'true' }] },
    { rules: [{ id: '<a>', ref: 'a', action: 'log', version: '2' }] },
  ),
  put(
    '2.1 an id with the same definition changes nothing in the rule',
    { rules: [{ id: '<a>', ...block('a') }] },
    { version: '2', rules: [{ id: '<a>', version: '1' }] },
  ),
  put(
    '2.1 a ref keeps the id',
    { rules: [block('a', { action: 'log' })] },
    { rules: [{ id: '<a>', action: 'log', version: '2' }] },
  ),
  put(
    '2.1 without id and ref the rule is a new one',
    { rules: [{ action: 'block', expression: 'http.request.uri.path eq "/a"' }] },
    { rules: [{ version: '1', ref: /^[0-9a-f]{32}$/ }] },
  ),
  put(
    '2.1 an unknown ref is a new rule',
    { rules: [block('a', { ref: 'z' })] },
    { rules: [{ ref: 'z', version: '1' }] },
  ),
  put('2.1 rules that are not mentioned are deleted', { rules: [{ id: '<b>' }] }, order('b')),
  put(
    '2.1 the order of the body is the new order',
    { rules: ['d', 'b', 'c', 'a'].map(ref => block(ref)) },
    order('dbca'),
  ),
  put(
    '2.1 a description alone leaves the rules',
    { description: 'new' },
    { description: 'new', version: '2', ...order('abcd') },
  ),
  put('2.1 an empty list empties the ruleset', { rules: [] }, { rules: [] }),
  put('2.1 rules that are null empty the ruleset', { rules: null }, { rules: [] }),
  {
    name: '2.1 rules alone leave the description',
    given: [['PUT', entryPoint(custom), { description: 'kept', rules: [] }]],
    request: ['PUT', entryPoint(custom), { rules: [block('a')] }],
    result: { description: 'kept' },
  },
  {
    name: '2.1 an id that is not in the ruleset',
    given: [abcd],
    request: ['PUT', path, { rules: [{ id: unknownId }] }],
    status: 400,
    error: [20208, /the ruleset has no rule with this id/, '/rules/0/id'],
  },
  {
    name: '2.1 by phase as by id',
    given: [abcd],
    request: ['PUT', entryPoint(custom), { rules: [{ id: '<d>' }, block('a')] }],
    result: { id: '<ruleset>', rules: [{ id: '<d>' }, { id: '<a>' }] },
  },
]

const adding: readonly Case[] = (
  [
    ['at the end when no position is given', undefined, 'abcdz'],
    ['before a rule', { before: '<b>' }, 'azbcd'],
    ['before none: first', { before: '' }, 'zabcd'],
    ['after a rule', { after: '<b>' }, 'abzcd'],
    ['after none: last', { after: '' }, 'abcdz'],
    ['index 1', { index: 1 }, 'zabcd'],
    ['index 5, behind all', { index: 5 }, 'abcdz'],
  ] as const
).map(([name, position, refs]) => ({
  name: `2.4 a rule is added ${name}`,
  given: [abcd],
  request: [
    'POST',
    `${path}/rules`,
    { ...block('z'), ...(position === undefined ? {} : { position }) },
  ] as Request,
  result: { version: '2', ...order(refs) },
}))

const moving: readonly Case[] = (
  [
    ['a', { index: 3 }, 'bcad'],
    ['a', { index: 1 }, 'abcd'],
    ['a', { index: 4 }, 'bcda'],
    ['d', { index: 1 }, 'dabc'],
    ['c', { before: '<a>' }, 'cabd'],
    ['c', { before: '' }, 'cabd'],
    ['b', { after: '<d>' }, 'acdb'],
    ['b', { after: '' }, 'acdb'],
    ['d', { after: '<a>' }, 'adbc'],
  ] as const
).map(([ref, position, refs]) => ({
  name: `2.4 ${ref} is moved: ${JSON.stringify(position)}`,
  given: [abcd],
  request: ['PATCH', rule(ref), { position }] as Request,
  result: { version: '2', rules: [...refs].map(at => ({ ref: at, id: `<${at}>`, version: '1' })) },
}))

const misplaced: readonly Case[] = [
  {},
  { before: '', after: '' },
  { before: '<b>', index: 1 },
  { index: 0 },
  { index: 5 },
  { index: -1 },
  { index: 1.5 },
  { index: '1' },
  { before: unknownId },
  { after: unknownId },
  { before: '<a>' },
].map(position => ({
  name: `2.4 refused: ${JSON.stringify(position)}`,
  given: [abcd],
  request: ['PATCH', rule('a'), { position }],
  status: 400,
}))

const patching: readonly Case[] = [
  {
    name: '2.3 PATCH replaces: absent members return to their defaults',
    given: [['PUT', entryPoint(custom), { rules: [block('a', { description: 'd', enabled: false })] }]],
    request: ['PATCH', rule('a'), { action: 'block', expression: 'http.request.uri.path eq "/a"' }],
    result: { rules: [{ id: '<a>', ref: 'a', enabled: true, description: undefined, version: '2' }] },
  },
  {
    name: '2.3 PATCH of a definition and its position',
    given: [abcd],
    request: ['PATCH', rule('a'), { ...block('a', { action: 'log' }), position: { after: '' } }],
    result: { version: '2', rules: [{}, {}, {}, { id: '<a>', action: 'log', version: '2' }] },
  },
  {
    name: '2.3 PATCH with another ref keeps the id',
    given: [abcd],
    request: ['PATCH', rule('a'), block('a', { ref: 'new' })],
    result: { rules: [{ id: '<a>', ref: 'new' }, {}, {}, {}] },
  },
  {
    name: '2.3 PATCH of one member only',
    given: [abcd],
    request: ['PATCH', rule('a'), { enabled: false }],
    status: 400,
  },
  {
    name: '2.2 POST of a rule: the server gives the id',
    given: [abcd],
    request: ['POST', `${path}/rules`, { id: unknownId, ...block('z') }],
    result: { rules: [{}, {}, {}, {}, { ref: 'z', id: /^(?!0123456789abcdef0)[0-9a-f]{32}$/ }] },
  },
]

const dry = (request: Request, status = 200): Case => ({
  name: `2.5 dry run: ${request[0]} ${request[1].replace(/^.*?rulesets/, 'rulesets')}`,
  given: [abcd],
  request: [request[0], `${request[1]}?dry_run=true`, request[2]],
  status,
  ...(status === 200 ? { body: { result: null, success: true, errors: [] } } : {}),
})

const trying: readonly Case[] = [
  dry(['POST', '/zones/<zone>/rulesets', { kind: 'custom', name: 'x', phase: custom }]),
  dry(['PUT', path, { rules: [] }]),
  dry(['PUT', entryPoint(custom), { rules: [] }]),
  dry(['POST', `${path}/rules`, block('z')]),
  dry(['PATCH', rule('a'), { position: { index: 2 } }]),
  dry(['DELETE', rule('a')]),
  dry(['DELETE', path], 204),
  {
    name: '2.5 dry run changes nothing',
    given: [abcd, ['PUT', `${path}?dry_run=true`, { rules: [] }], ['DELETE', `${path}?dry_run=true`]],
    request: ['GET', path],
    result: { version: '1', ...order('abcd') },
  },
  {
    name: '2.5 dry run refuses the same as the real call',
    given: [abcd],
    request: ['PUT', `${path}?dry_run=true`, { rules: [{ action: 'block' }] }],
    status: 400,
    error: [20125, /blank/, '/rules/0/expression'],
  },
  {
    name: '2.5 dry run of an absent object',
    request: ['DELETE', `/zones/<zone>/rulesets/${unknownId}?dry_run=true`],
    status: 404,
    error: [10001, /./],
  },
  ...['1', 'yes', 'TRUE', ''].map(
    (value): Case => ({
      name: `2.5 dry_run=${value}`,
      given: [abcd],
      request: ['PUT', `${path}?dry_run=${value}`, { rules: [] }],
      status: 400,
    }),
  ),
  {
    name: '2.5 dry_run=false is a real call',
    given: [abcd],
    request: ['PUT', `${path}?dry_run=false`, { rules: [] }],
    result: { version: '2', rules: [] },
  },
]

export const mergeCases: readonly Case[] = [
  ...replacing,
  ...adding,
  ...moving,
  ...misplaced,
  ...patching,
  ...trying,
]
