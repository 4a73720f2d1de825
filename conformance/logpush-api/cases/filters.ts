import { type Case, codes, Exactly, refused, taken } from '../case.ts'

/** Section 4: accepted and refused filters. The records that they keep are in delivered.test.ts. */

const criterion = (key: string, operator: unknown, value: unknown) => ({ key, operator, value })
const keeps = (where: unknown): Case => {
  const filter = JSON.stringify({ where })
  return { ...taken(`4 ${filter}`.slice(0, 200), { filter }), level: 'zone' }
}
const refuses = (name: string, filter: string, message = /./): Case =>
  refused(name, { filter }, codes.filter, '/filter', message, 'zone')
/** The message gives the position in the filter. */
const wrong = (where: unknown, path: string): Case => {
  const filter = JSON.stringify({ where })
  return refuses(`4.8 ${filter}`.slice(0, 200), filter, new RegExp(` at ${path}: `))
}

const X = criterion('ClientRequestHost', 'eq', 'shop.test')
const Y = criterion('ClientRequestPath', 'startsWith', '/a')
const Z = criterion('EdgeResponseStatus', 'lt', 300)

const examples: readonly Case[] = [
  keeps(X),
  keeps({ and: [criterion('BotScore', 'lt', '30')] }),
  keeps({
    and: [
      criterion('EdgeResponseStatus', 'geq', 500),
      criterion('ClientRequestPath', '!startsWith', '/healthz'),
    ],
  }),
  keeps({ and: [X, { or: [Y, Z] }] }),
  keeps({ or: [{ and: [X, Y] }, Z] }),
  keeps({
    or: [
      criterion('SecurityActions', 'contains', 'block'),
      criterion('SecurityActions', 'contains', 'managedChallenge'),
    ],
  }),
  keeps(criterion('EdgeResponseStatus', 'in', [502, 504])),
]

const fields = {
  string: ['ClientRequestHost', 'x'],
  int: ['EdgeResponseStatus', 200],
  bool: ['BotDetectionIDs', 1],
  array: ['SecurityActions', 'block'],
} as const
const every = [
  'eq',
  '!eq',
  'lt',
  'leq',
  'gt',
  'geq',
  'startsWith',
  'endsWith',
  '!startsWith',
  '!endsWith',
  'contains',
  '!contains',
  'in',
  '!in',
]
/** The table of 4.3, a type per row. */
const allowed: readonly (readonly [field: string, value: unknown, operators: readonly string[]])[] = [
  [
    ...fields.string,
    ['eq', '!eq', 'startsWith', 'endsWith', '!startsWith', '!endsWith', 'contains', '!contains', 'in', '!in'],
  ],
  [...fields.int, ['eq', '!eq', 'lt', 'leq', 'gt', 'geq', 'in', '!in']],
  ['ClientTCPRTTMs', 3, ['eq', '!eq', 'lt', 'leq', 'gt', 'geq', 'in', '!in']],
  ['EdgeStartTimestamp', '1700000000123456789', ['eq', '!eq', 'lt', 'leq', 'gt', 'geq', 'in', '!in']],
  ['CacheReserveUsed', true, ['eq', '!eq']],
  [...fields.array, ['contains', '!contains', 'in', '!in']],
  [...fields.bool, ['contains', '!contains', 'in', '!in']],
  ['Cookies', 'x', []],
  ['RequestHeaders', 'x', []],
  ['ResponseHeaders', 'x', []],
  ['JA4Signals', 'x', []],
  ['MatchedRules', 'x', []],
  ['Subrequests', 'x', []],
  ['AISecurityCustomTopicCategories', 'x', []],
]

const table: readonly Case[] = allowed.flatMap(([field, value, operators]) =>
  every.map(operator => {
    const where = criterion(field, operator, operator.endsWith('in') ? [value] : value)
    return operators.includes(operator) ? keeps(where) : wrong(where, '/where(/operator|/key)')
  }),
)

const barred: readonly Case[] = [
  'Action',
  'Description',
  'Kind',
  'MatchIndex',
  'Metadata',
  'OriginatorRayID',
  'RuleID',
  'Source',
].map(field =>
  refused(
    `4.4 firewall_events cannot be filtered by ${field}`,
    { dataset: 'firewall_events', filter: JSON.stringify({ where: criterion(field, 'eq', 1) }) },
    codes.filter,
    '/filter',
    / at \/where\/key: /,
    'zone',
  ),
)

const values: readonly Case[] = [
  keeps(criterion('EdgeResponseStatus', 'eq', '200')),
  keeps(criterion('EdgeResponseStatus', 'in', ['200', 201])),
  keeps(criterion('CacheReserveUsed', 'eq', 'true')),
  keeps(criterion('EdgeStartTimestamp', 'gt', '2026-01-02T03:04:05Z')),
  wrong(criterion('EdgeResponseStatus', 'eq', 'x'), '/where/value'),
  wrong(criterion('EdgeResponseStatus', 'eq', true), '/where/value'),
  wrong(criterion('EdgeResponseStatus', 'eq', [200]), '/where/value'),
  wrong(criterion('EdgeResponseStatus', 'in', '200,201'), '/where/value'),
  wrong(criterion('EdgeResponseStatus', 'in', []), '/where/value'),
  wrong(criterion('EdgeResponseStatus', 'in', [200, 'x']), '/where/value(/1)?'),
  wrong(criterion('ClientRequestHost', 'eq', 1), '/where/value'),
  wrong(criterion('ClientRequestHost', 'in', ['a', 1]), '/where/value(/1)?'),
  wrong(criterion('ClientRequestHost', 'eq', null), '/where/value'),
  wrong(criterion('ClientRequestHost', 'eq', {}), '/where/value'),
  wrong(criterion('CacheReserveUsed', 'eq', 'yes'), '/where/value'),
]

const deep = (levels: number): unknown => (levels === 0 ? X : { and: [deep(levels - 1)] })
const shape: readonly Case[] = [
  keeps(deep(29)),
  wrong(deep(30), '[^ ]*'),
  ...['neq', 'lte', 'gte', '==', '!=', '<', '>', '~', 'EQ', '', 1, null].map(operator =>
    wrong(criterion('ClientRequestHost', operator, 'x'), '/where/operator'),
  ),
  wrong(criterion('NoSuchField', 'eq', 'x'), '/where/key'),
  wrong(criterion('clientrequesthost', 'eq', 'x'), '/where/key'),
  wrong({ operator: 'eq', value: 'x' }, '/where'),
  wrong({ key: 'ClientRequestHost', value: 'x' }, '/where'),
  wrong({ key: 'ClientRequestHost', operator: 'eq' }, '/where'),
  wrong({ key: 1, operator: 'eq', value: 'x' }, '/where/key'),
  wrong({ and: [X], or: [Y] }, '/where/(and|or)'),
  wrong({ and: [X], key: 'x' }, '/where/key'),
  wrong({ or: [X], value: 'x' }, '/where/value'),
  wrong({ and: [] }, '/where/and'),
  wrong({ or: [] }, '/where/or'),
  wrong({ and: X }, '/where/and'),
  wrong({ not: X }, '/where/not'),
  wrong({ and: [X, { and: [Y, criterion('NoSuchField', 'eq', 1)] }] }, '/where/and/1/and/1/key'),
  wrong({ and: [X, 1] }, '/where/and/1'),
  wrong([X], '/where'),
  wrong(null, '/where'),
  wrong({ ...X, more: 1 }, '/where/more'),
]

const path = (characters: number) =>
  JSON.stringify({ where: criterion('ClientRequestPath', 'eq', '') }).replace(
    '""',
    `"${'x'.repeat(characters)}"`,
  )
const frame = path(0).length
const texts: readonly Case[] = [
  { ...taken('4.5 a filter of 1000 bytes', { filter: path(1000 - frame) }), level: 'zone' },
  refuses('4.5 a filter of 1001 bytes', path(1001 - frame), /1001 bytes/),
  refuses('4.5 bytes are not characters', path(999 - frame).replace('x', 'ü€'), /bytes/),
  refuses('4.8 not JSON', '{"where"', /JSON/),
  refuses('4.8 more than one document', '{} {}', /JSON/),
  refuses('4.8 an array', '[]'),
  refuses('4.8 a text', '"x"'),
  refuses('4.8 blanks', ' '),
  refuses('4.2 no where', '{}', /where/),
  refuses('4.2 a bare criterion', JSON.stringify(X), /where/),
  refuses('4.2 a bare and', JSON.stringify({ and: [X] }), /where/),
  refuses('4.2 something beside where', JSON.stringify({ where: X, more: 1 }), /more/),
  refuses('4.8 a key twice', '{"where":{"key":"RayID","key":"ClientIP","operator":"eq","value":"x"}}'),
  {
    ...taken('4.4 a field that is not delivered', {
      filter: JSON.stringify({ where: X }),
      output_options: { field_names: ['RayID'] },
    }),
    level: 'zone',
  },
  {
    ...taken('4 a filter of firewall_events', {
      dataset: 'firewall_events',
      filter: JSON.stringify({ where: criterion('ClientASN', 'in', [1, 2]) }),
    }),
    level: 'zone',
  },
  {
    name: '4 the filter of an account job',
    level: 'account',
    request: [
      'POST',
      '/<scope>/logpush/jobs',
      { destination_conf: 'file://<folder>/logs', filter: JSON.stringify({ where: X }) },
    ],
    result: { filter: new Exactly(JSON.stringify({ where: X })) },
  },
]

export const filterCases = [...examples, ...table, ...barred, ...values, ...shape, ...texts]
