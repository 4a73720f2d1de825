import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dataset, FieldType, LogRecord } from '../model/dataset.ts'
import { datasets } from '../model/datasets/table.ts'
import { compileFilter } from './compile.ts'
import { operatorKinds } from './operators.ts'

const types: readonly FieldType[] = [
  'string',
  'int',
  'bool',
  'float',
  'timestamp',
  'array[string]',
  'array[int]',
  'array[object]',
  'object',
]
const dataset: Dataset = {
  name: 'http_requests',
  timeField: 'EdgeStartTimestamp',
  scopes: ['zone'],
  fields: [
    ...types.map(type => ({ name: `F_${type}`, type, description: '', from: '' })),
    { name: 'ClientRequestPath', type: 'string', description: '', from: '' },
    { name: 'EdgeResponseStatus', type: 'int', description: '', from: '' },
    { name: 'BotScore', type: 'int', description: '', from: '' },
    { name: 'ClientCountry', type: 'string', description: '', from: '' },
    { name: 'SecurityActions', type: 'array[string]', description: '', from: '' },
    { name: 'EdgeStartTimestamp', type: 'timestamp', description: '', from: '' },
  ],
  defaultFields: [],
}

function keeps(where: unknown, record: LogRecord): boolean {
  const outcome = compileFilter(JSON.stringify({ where }), dataset)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.test(record)
}

function problemOf(filter: unknown): { pointer: string; message: string } {
  const outcome = compileFilter(typeof filter === 'string' ? filter : JSON.stringify(filter), dataset)
  assert.ok(!outcome.ok, `accepted: ${JSON.stringify(filter)}`)
  return outcome.problem
}

const path = (operator: string, value: unknown) => ({ key: 'ClientRequestPath', operator, value })
const status = (operator: string, value: unknown) => ({ key: 'EdgeResponseStatus', operator, value })

test('each operator keeps and drops the records it should', () => {
  const rows: [unknown, LogRecord, boolean][] = [
    [path('eq', '/a'), { ClientRequestPath: '/a' }, true],
    [path('eq', '/a'), { ClientRequestPath: '/A' }, false],
    [path('!eq', '/a'), { ClientRequestPath: '/A' }, true],
    [path('startsWith', '/a'), { ClientRequestPath: '/ab' }, true],
    [path('!startsWith', '/a'), { ClientRequestPath: '/ab' }, false],
    [path('endsWith', 'b'), { ClientRequestPath: '/ab' }, true],
    [path('!endsWith', 'b'), { ClientRequestPath: '/ab' }, false],
    [path('contains', 'ab'), { ClientRequestPath: '/abc' }, true],
    [path('!contains', 'ab'), { ClientRequestPath: '/abc' }, false],
    [path('in', ['/a', '/b']), { ClientRequestPath: '/b' }, true],
    [path('!in', ['/a', '/b']), { ClientRequestPath: '/b' }, false],
    [status('lt', 500), { EdgeResponseStatus: 499 }, true],
    [status('lt', 500), { EdgeResponseStatus: 500 }, false],
    [status('leq', 500), { EdgeResponseStatus: 500 }, true],
    [status('leq', 500), { EdgeResponseStatus: 501 }, false],
    [status('gt', 500), { EdgeResponseStatus: 500 }, false],
    [status('gt', 500), { EdgeResponseStatus: 501 }, true],
    [status('geq', 500), { EdgeResponseStatus: 500 }, true],
    [status('geq', 500), { EdgeResponseStatus: 499 }, false],
    [status('in', [502, '504']), { EdgeResponseStatus: 504 }, true],
    [{ key: 'BotScore', operator: 'lt', value: '30' }, { BotScore: 29 }, true],
    [{ key: 'BotScore', operator: 'lt', value: '30' }, { BotScore: 30 }, false],
    [
      { key: 'SecurityActions', operator: 'contains', value: 'block' },
      { SecurityActions: ['log', 'block'] },
      true,
    ],
    [
      { key: 'SecurityActions', operator: 'contains', value: 'block' },
      { SecurityActions: ['blocked'] },
      false,
    ],
    [{ key: 'SecurityActions', operator: 'in', value: ['block', 'log'] }, { SecurityActions: ['log'] }, true],
    [{ key: 'SecurityActions', operator: '!in', value: ['block'] }, { SecurityActions: ['log'] }, true],
    [{ key: 'F_bool', operator: 'eq', value: true }, { F_bool: true }, true],
    [{ key: 'F_bool', operator: '!eq', value: 'true' }, { F_bool: true }, false],
    [{ key: 'F_array[int]', operator: 'contains', value: '7' }, { 'F_array[int]': [7] }, true],
    [{ key: 'F_float', operator: 'gt', value: 0.5 }, { F_float: 0.75 }, true],
    [
      { key: 'EdgeStartTimestamp', operator: 'geq', value: '2026-05-01T00:00:00.000000001Z' },
      { EdgeStartTimestamp: '1777593600000000001' },
      true,
    ],
    [
      { key: 'EdgeStartTimestamp', operator: 'gt', value: '1777593600000000001' },
      { EdgeStartTimestamp: '1777593600000000001' },
      false,
    ],
  ]
  for (const [where, record, want] of rows)
    assert.equal(keeps(where, record), want, JSON.stringify([where, record]))
})

test('a missing field is the empty value of its type', () => {
  assert.equal(keeps(path('eq', ''), {}), true)
  assert.equal(keeps(path('!contains', 'x'), {}), true)
  assert.equal(keeps(status('eq', 0), {}), true)
  assert.equal(keeps({ key: 'F_bool', operator: 'eq', value: false }, {}), true)
  assert.equal(keeps({ key: 'SecurityActions', operator: '!in', value: ['block'] }, {}), true)
})

test('and, or and nesting have the meaning of the three documented shapes', () => {
  const x = path('eq', '/x')
  const y = status('eq', 200)
  const z = { key: 'ClientCountry', operator: 'eq', value: 'ca' }
  const record = (px: boolean, py: boolean, pz: boolean) => ({
    ClientRequestPath: px ? '/x' : '/',
    EdgeResponseStatus: py ? 200 : 404,
    ClientCountry: pz ? 'ca' : 'us',
  })
  for (let bits = 0; bits < 8; bits++) {
    const [px, py, pz] = [(bits & 1) > 0, (bits & 2) > 0, (bits & 4) > 0]
    assert.equal(keeps({ and: [x, y, z] }, record(px, py, pz)), px && py && pz)
    assert.equal(keeps({ and: [x, { or: [y, z] }] }, record(px, py, pz)), px && (py || pz))
    assert.equal(keeps({ or: [{ and: [x, y] }, z] }, record(px, py, pz)), (px && py) || pz)
  }
})

test('every cell of the operator by type table is accepted or refused', () => {
  const sample: Record<string, unknown> = {
    string: 'a',
    int: 1,
    bool: true,
    float: 1.5,
    timestamp: '1',
    'array[string]': 'a',
    'array[int]': 1,
    object: 'a',
    'array[object]': 'a',
  }
  const allowed: Record<string, string> = {
    string: 'eq !eq startsWith endsWith !startsWith !endsWith contains !contains in !in',
    int: 'eq !eq lt leq gt geq in !in',
    float: 'eq !eq lt leq gt geq in !in',
    timestamp: 'eq !eq lt leq gt geq in !in',
    bool: 'eq !eq',
    'array[string]': 'contains !contains in !in',
    'array[int]': 'contains !contains in !in',
    object: '',
    'array[object]': '',
  }
  for (const type of types) {
    for (const operator of operatorKinds.keys()) {
      const value = operator.endsWith('in') ? [sample[type]] : sample[type]
      const outcome = compileFilter(JSON.stringify({ where: { key: `F_${type}`, operator, value } }), dataset)
      assert.equal(outcome.ok, allowed[type]!.split(' ').includes(operator), `${operator} on ${type}`)
    }
  }
})

test('a refused filter reports position and reason', () => {
  const rows: [unknown, string, RegExp][] = [
    ['{', '', /not JSON/],
    [[], '', /object/],
    [{}, '', /no "where"/],
    [{ where: path('eq', 'a'), and: [] }, '/and', /only "where"/],
    [{ where: 'x' }, '/where', /expected an object/],
    [{ where: {} }, '/where', /no "key"/],
    [{ where: { key: 'ClientRequestPath', value: 'a' } }, '/where', /no "operator"/],
    [{ where: { key: 'ClientRequestPath', operator: 'eq' } }, '/where', /no "value"/],
    [{ where: { ...path('eq', 'a'), not: 1 } }, '/where/not', /there is no "not"/],
    [{ where: { and: [] } }, '/where/and', /at least one/],
    [{ where: { and: [path('eq', 'a')], or: [path('eq', 'b')] } }, '/where/or', /cannot stand beside/],
    [
      { where: { or: [path('eq', 'a'), { key: 'ClientRequestPat', operator: 'eq', value: 'a' }] } },
      '/where/or/1/key',
      /did you mean ClientRequestPath/,
    ],
    [{ where: path('neq', 'a') }, '/where/operator', /unknown operator "neq"; here it is written "!eq"/],
    [{ where: path('gt', 'a') }, '/where/operator', /type string; possible are eq/],
    [{ where: { key: 'F_object', operator: 'eq', value: 'a' } }, '/where/key', /cannot be filtered/],
    [{ where: path('eq', 5) }, '/where/value', /is a string/],
    [{ where: path('eq', null) }, '/where/value', /text, a number, true or false/],
    [{ where: path('eq', ['a']) }, '/where/value', /arrays are for "in"/],
    [{ where: path('in', 'a,b') }, '/where/value', /needs an array/],
    [{ where: path('in', []) }, '/where/value', /empty/],
    [{ where: status('in', [200, 'x']) }, '/where/value/1', /is a number/],
    [{ where: status('eq', '2e2') }, '/where/value', /is a number/],
  ]
  for (const [filter, pointer, message] of rows) {
    const problem = problemOf(filter)
    assert.equal(problem.pointer, pointer, JSON.stringify(filter))
    assert.match(problem.message, message)
  }
})

test('limits hold at both sides: 30 operators, 1000 bytes', () => {
  const criteria = (count: number) =>
    Array.from({ length: count }, () => ({ key: 'BotScore', operator: 'eq', value: 1 }))
  const short = (count: number) => ({ where: { or: criteria(count) } })
  const tiny: Dataset = { ...dataset, fields: [{ name: 'B', type: 'int', description: '', from: '' }] }
  const filter = (count: number) => JSON.stringify(short(count)).replaceAll('BotScore', 'B')
  const atLimit = compileFilter(filter(18), tiny)
  assert.ok(atLimit.ok && atLimit.operators === 19)
  const nested = (depth: number): unknown =>
    depth === 0 ? { key: 'B', operator: 'eq', value: 1 } : { and: [nested(depth - 1)] }
  assert.ok(compileFilter(JSON.stringify({ where: nested(29) }), tiny).ok)
  const over = compileFilter(JSON.stringify({ where: nested(30) }), tiny)
  assert.ok(!over.ok && /more than 30/.test(over.problem.message))
  const padded = (bytes: number) => {
    const empty = JSON.stringify({ where: path('eq', '') })
    return JSON.stringify({ where: path('eq', 'x'.repeat(bytes - empty.length)) })
  }
  assert.ok(compileFilter(padded(1000), dataset).ok)
  assert.match(problemOf(padded(1001)).message, /1001 bytes, the limit is 1000/)
  const utf8 = JSON.stringify({ where: path('eq', 'é'.repeat(500)) })
  assert.match(problemOf(utf8).message, /bytes/)
})

test('fields that firewall_events excludes cannot be filtered on, with any type', () => {
  const events = datasets.get('firewall_events')!
  const barred = 'Action Description Kind MatchIndex Metadata OriginatorRayID RuleID Source'.split(' ')
  for (const { name, type } of events.fields) {
    const value = type === 'string' ? 'a' : type === 'bool' ? true : '1'
    const operator = type.startsWith('array') ? 'contains' : 'eq'
    const filter = JSON.stringify({ where: { key: name, operator, value } })
    const outcome = compileFilter(filter, events)
    const isObject = type === 'object' || type === 'array[object]'
    assert.equal(outcome.ok, !barred.includes(name) && !isObject, name)
    if (barred.includes(name)) {
      assert.ok(!outcome.ok && outcome.problem.pointer === '/where/key', name)
      assert.match(outcome.problem.message, /cannot be filtered on/)
    }
  }
})

test('old spellings of operators are refused with the current one', () => {
  const rows: [string, string][] = [
    ['neq', '!eq'],
    ['ne', '!eq'],
    ['!=', '!eq'],
    ['==', 'eq'],
    ['lte', 'leq'],
    ['<=', 'leq'],
    ['gte', 'geq'],
    ['>', 'gt'],
    ['~', 'contains'],
    ['startswith', 'startsWith'],
    ['starts_with', 'startsWith'],
    ['not_in', '!in'],
    ['not contains', '!contains'],
    ['EQ', 'eq'],
    ['endWith', 'endsWith'],
  ]
  for (const [written, right] of rows) {
    const problem = problemOf({ where: path(written, 'a') })
    assert.equal(problem.pointer, '/where/operator')
    assert.equal(problem.message, `unknown operator "${written}"; here it is written "${right}"`)
  }
  assert.match(problemOf({ where: path('resembles', 'a') }).message, /the operators are eq, !eq, lt/)
})

test('common mistakes are named', () => {
  const bare = problemOf(path('eq', 'a'))
  assert.equal(bare.pointer, '')
  assert.match(bare.message, /no "where": put the criterion under it/)
  assert.match(problemOf({ where: { not: path('eq', 'a') } }).message, /operators are negated/)
  assert.match(
    problemOf({ where: { ...path('eq', 'a'), operater: 'eq' } }).message,
    /did you mean "operator"/,
  )
  assert.match(problemOf({ where: status('in', '200,201') }).message, /not a text with commas/)
  assert.match(problemOf('{"where":{"key":"BotScore","key":"x"}}').message, /"key" is repeated/)
  assert.match(problemOf({ where: status('eq', { a: 1 }) }).message, /a value is text/)
  for (const element of [null, [1], {}])
    assert.match(problemOf({ where: status('in', [1, element]) }).message, /a value is text/)
  assert.equal(problemOf({ where: status('in', [1, null]) }).pointer, '/where/value/1')
  assert.equal(problemOf({ where: { 'a/b~c': 1 } }).pointer, '/where/a~1b~0c')
})

test('numbers keep their digits, and numbers out of range are refused', () => {
  const time = (operator: string, value: string) =>
    `{"where":{"key":"EdgeStartTimestamp","operator":"${operator}","value":${value}}}`
  const at = { EdgeStartTimestamp: '1777593600000000001' }
  const rows: [string, boolean][] = [
    [time('eq', '1777593600000000001'), true],
    [time('eq', '1777593600000000000'), false],
    [time('eq', '"1777593600000000001"'), true],
    [time('lt', '1777593600000000002'), true],
    [time('lt', '1777593600000000001'), false],
    [time('in', '[1777593600000000002, "2026-05-01T02:00:00.000000001+02:00"]'), true],
    [time('!in', '[1777593600000000002]'), true],
  ]
  for (const [filter, want] of rows) {
    const outcome = compileFilter(filter, dataset)
    assert.ok(outcome.ok && outcome.test(at) === want, filter)
  }
  const refused = [
    '{"where":{"key":"BotScore","operator":"eq","value":1.5}}',
    '{"where":{"key":"BotScore","operator":"eq","value":9007199254740993}}',
    '{"where":{"key":"BotScore","operator":"eq","value":"9007199254740993"}}',
    '{"where":{"key":"BotScore","operator":"eq","value":" 1"}}',
    '{"where":{"key":"BotScore","operator":"eq","value":true}}',
    '{"where":{"key":"F_float","operator":"eq","value":".5"}}',
    '{"where":{"key":"F_bool","operator":"eq","value":1}}',
    time('eq', '-1'),
    time('eq', '9223372036854775808'),
    time('eq', '"2026-02-30T00:00:00Z"'),
  ]
  for (const filter of refused) assert.equal(problemOf(filter).pointer, '/where/value', filter)
  assert.ok(compileFilter('{"where":{"key":"BotScore","operator":"eq","value":1e1}}', dataset).ok)
})
