import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionAvailabilities } from '../../../../../src/rulesets/fields/available-functions.ts'
import { createLanguage } from '../engine.ts'
import { coloursOf } from './colours.ts'
import { completionsAt } from './complete.ts'
import { functionHelp } from './function-help.ts'

const lists = [{ name: 'office', kind: 'ip', description: 'Where we sit' }] as const
const language = createLanguage({ phase: 'http_request_firewall_custom', use: 'filter' }, lists)

/** `|` marks the cursor. */
function offered(marked: string): { from: number; labels: readonly string[] } | undefined {
  const at = marked.indexOf('|')
  const found = completionsAt(marked.replace('|', ''), at, language)
  return found && { from: found.from, labels: found.options.map(({ label }) => label) }
}

const rows: readonly { at: string; from?: number; has?: readonly string[]; hasNot?: readonly string[] }[] = [
  {
    at: '|',
    from: 0,
    has: ['http.host', 'starts_with', 'any', 'not'],
    hasNot: ['and', 'split', 'http.response.code'],
  },
  { at: 'http.ho|', from: 0, has: ['http.host'] },
  { at: 'http.host |', from: 10, has: ['eq', 'contains', 'in'], hasNot: ['and', 'http.host', 'bitwise_and'] },
  { at: 'ip.src |', from: 7, has: ['eq', 'in'], hasNot: ['contains'] },
  { at: 'ssl |', from: 4, has: ['and', 'or'], hasNot: ['eq'] },
  { at: 'http.host eq "a" a|', from: 17, has: ['and', 'or', 'xor'], hasNot: ['http.host'] },
  { at: 'ssl and |', from: 8, has: ['http.host', 'not'] },
  { at: 'ip.src in |', from: 10, has: ['$office'] },
  { at: 'ip.src in $of|', from: 10, has: ['$office'] },
  { at: 'http.request.headers["a"][*] |', from: 29, has: ['eq', 'matches'] },
  { at: 'starts_with(|', from: 12, has: ['http.host'] },
  { at: 'starts_with(http.host, "a") |', from: 28, has: ['and'] },
]

for (const { at, from, has = [], hasNot = [] } of rows) {
  test(`completion at ${at}`, () => {
    const found = offered(at)
    assert.ok(found)
    assert.equal(found.from, from)
    for (const label of has) assert.ok(found.labels.includes(label), `has ${label}`)
    for (const label of hasNot) assert.ok(!found.labels.includes(label), `has not ${label}`)
  })
}

for (const at of [
  'http.host eq "a|',
  'http.host eq "a|"',
  'http.host eq |',
  'ip.src in {|',
  'http.host matches r#"a"|',
]) {
  test(`nothing is offered at ${at}`, () => assert.equal(offered(at), undefined))
}

test('every function of the engine has help, and only functions do', () => {
  assert.deepEqual([...functionHelp.keys()].sort(), [...functionAvailabilities.keys()].sort())
})

test('every field has a description', () => {
  for (const { name, description, family } of language.fields.values()) assert.ok(description && family, name)
})

test('tokens have colours, also inside an open string', () => {
  const text =
    'not starts_with(http.host, "a\\"") and ip.src in $office or nosuch eq 10.0.0.0/8 && ssl == r#"x"#'
  const coloured = coloursOf(text, language).map(
    ({ from, to, colour }) => `${text.slice(from, to)}: ${colour}`,
  )
  assert.deepEqual(coloured, [
    'not: logic',
    'starts_with: function',
    'http.host: field',
    '"a\\"": string',
    'and: logic',
    'ip.src: field',
    'in: operator',
    '$office: list',
    'or: logic',
    'eq: operator',
    '10.0.0.0/8: number',
    '&&: logic',
    'ssl: field',
    '==: operator',
    'r#"x"#: string',
  ])
  assert.deepEqual(coloursOf('http.host eq "a and', language).at(-1), { from: 13, to: 19, colour: 'string' })
  assert.equal(coloursOf('x matches "[\\"a]" and', language).at(-1)?.colour, 'logic')
})
