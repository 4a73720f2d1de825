import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLanguage } from '../engine.ts'
import type { ListInfo } from '../types.ts'
import type { Builder, Group, Operator, Row } from './builder.ts'
import { kindOf, operatorsOf } from './builder-fields.ts'
import { printBuilder } from './print-builder.ts'
import { readBuilder } from './read-builder.ts'

const lists: readonly ListInfo[] = [
  { name: 'office', kind: 'ip', description: '' },
  { name: 'shops', kind: 'hostname', description: '' },
]
const language = createLanguage({ phase: 'http_request_firewall_custom', use: 'filter' }, lists)
const { fields } = language

function row(field: string, operator: Operator, ...values: string[]): Row {
  return { field, key: '', operator, values }
}

function groups(...all: Group[]): Builder {
  return { kind: 'groups', groups: all }
}

const header = (operator: Operator, ...values: string[]): Row => ({
  ...row('http.request.headers', operator, ...values),
  key: 'x-tenant',
})

const both: readonly { readonly text: string; readonly builder: Builder }[] = [
  { text: 'true', builder: { kind: 'all' } },
  { text: 'http.host eq "a.example"', builder: groups([row('http.host', 'eq', 'a.example')]) },
  { text: 'http.host eq ""', builder: groups([row('http.host', 'eq', '')]) },
  { text: 'http.host ne "a\\"b\\\\c"', builder: groups([row('http.host', 'ne', 'a"b\\c')]) },
  {
    text: 'not http.request.uri.path contains "é and (or) \\"in\\""',
    builder: groups([row('http.request.uri.path', 'not contains', 'é and (or) "in"')]),
  },
  {
    text: 'starts_with(http.request.uri.path, "/api/") and not ends_with(http.request.uri.path, ".css")',
    builder: groups([
      row('http.request.uri.path', 'starts_with', '/api/'),
      row('http.request.uri.path', 'not ends_with', '.css'),
    ]),
  },
  {
    text: 'http.host wildcard "*.example.com"',
    builder: groups([row('http.host', 'wildcard', '*.example.com')]),
  },
  {
    text: 'not http.host strict wildcard r"a\\*"',
    builder: groups([row('http.host', 'not strict wildcard', 'a\\*')]),
  },
  {
    text: 'http.user_agent matches r"(?i)\\bcurl/[0-9]"',
    builder: groups([row('http.user_agent', 'matches', '(?i)\\bcurl/[0-9]')]),
  },
  {
    text: 'not http.user_agent matches r#"a"b["]"#',
    builder: groups([row('http.user_agent', 'not matches', 'a"b["]')]),
  },
  {
    text: 'ip.src in {10.0.0.0/8 2001:db8::1}',
    builder: groups([row('ip.src', 'in', '10.0.0.0/8', '2001:db8::1')]),
  },
  { text: 'not ip.src in $office', builder: groups([row('ip.src', 'not in list', 'office')]) },
  { text: 'http.host in $shops', builder: groups([row('http.host', 'in list', 'shops')]) },
  { text: 'ip.src eq 192.0.2.7', builder: groups([row('ip.src', 'eq', '192.0.2.7')]) },
  { text: 'ip.src.country in {"DE" "FR"}', builder: groups([row('ip.src.country', 'in', 'DE', 'FR')]) },
  { text: 'ip.src.asnum ge 64512', builder: groups([row('ip.src.asnum', 'ge', '64512')]) },
  { text: 'not ip.src.asnum in {1 5..9}', builder: groups([row('ip.src.asnum', 'not in', '1', '5..9')]) },
  { text: 'ssl', builder: groups([row('ssl', 'is on')]) },
  { text: 'not ssl', builder: groups([row('ssl', 'is off')]) },
  { text: 'any(http.request.headers["x-tenant"][*] eq "acme")', builder: groups([header('eq', 'acme')]) },
  { text: 'not any(http.request.headers["x-tenant"][*] eq "acme")', builder: groups([header('ne', 'acme')]) },
  {
    text: 'not any(starts_with(http.request.headers["x-tenant"][*], "a"))',
    builder: groups([header('not starts_with', 'a')]),
  },
  { text: 'len(http.request.headers["x-tenant"]) gt 0', builder: groups([header('is present')]) },
  { text: 'not len(http.request.headers["x-tenant"]) gt 0', builder: groups([header('is absent')]) },
  {
    text: 'any(http.request.headers.names[*] contains "Debug")',
    builder: groups([row('http.request.headers.names', 'contains', 'Debug')]),
  },
  {
    text: '(http.host eq "a" and ssl) or http.host eq "b" or (ip.src eq 192.0.2.1 and not ssl)',
    builder: groups(
      [row('http.host', 'eq', 'a'), row('ssl', 'is on')],
      [row('http.host', 'eq', 'b')],
      [row('ip.src', 'eq', '192.0.2.1'), row('ssl', 'is off')],
    ),
  },
]

for (const { text, builder } of both) {
  test(`the builder shows and writes ${text}`, () => {
    assert.equal(printBuilder(builder, fields), text)
    assert.deepEqual(readBuilder(text, language), builder)
  })
}

const otherSpellings: readonly (readonly [text: string, same: string])[] = [
  ['((http.host=="a"))', 'http.host eq "a"'],
  [
    ' (http.host eq "a")&&(ssl)\n|| !(ip.src in{10.0.0.0/8}) ',
    '(http.host eq "a" and ssl) or not ip.src in {10.0.0.0/8}',
  ],
  ['http.host eq r"a"', 'http.host eq "a"'],
  ['http.user_agent ~ "a\\"b"', 'http.user_agent matches r#"a"b"#'],
]

for (const [text, same] of otherSpellings) {
  test(`the builder reads ${text.trim()}`, () => {
    const builder = readBuilder(text, language)
    assert.equal(builder && printBuilder(builder, fields), same)
  })
}

const forTheEditor: readonly string[] = [
  '',
  'false',
  'http.host eq',
  'htp.host eq "a"',
  'ssl and (http.host eq "a" or http.host eq "b")',
  'ssl xor http.host eq "a"',
  'not (ssl and http.host eq "a")',
  'not not ssl',
  'not http.host eq "a"',
  'lower(http.host) eq "a"',
  'all(http.request.headers["a"][*] eq "b")',
  'http.request.headers["a"][0] eq "b"',
  'any(lower(http.request.headers.names[*])[*] eq "x")',
  'http.request.uri.path ne raw.http.request.uri.path',
  'http.host eq "\\xff"',
  'http.host eq "a\\x01"',
  'http.host in $unknown',
  'len(http.request.headers["a"]) gt 1',
]

for (const text of forTheEditor) {
  test(`the builder leaves to the editor: ${text}`, () =>
    assert.equal(readBuilder(text, language), undefined))
}

test('the engine accepts every offered operator, and the builder reads it back', () => {
  const values = { text: 'a', texts: 'a', map: 'a', integer: '7', ip: '192.0.2.1', boolean: '' }
  for (const field of fields.values()) {
    const kind = kindOf(field)
    if (kind === undefined) continue
    for (const operator of operatorsOf(field)) {
      if (operator.endsWith('list')) continue
      const takesNone = operator.startsWith('is ')
      const one: Row = {
        field: field.name,
        key: kind === 'map' ? 'name' : '',
        operator,
        values: takesNone ? [] : [values[kind]],
      }
      const text = printBuilder(groups([one]), fields)
      assert.equal(language.check(text), undefined, text)
      assert.deepEqual(readBuilder(text, language), groups([one]), text)
    }
  }
})

test('an incomplete row prints as text that the engine refuses', () => {
  assert.equal(printBuilder(groups([row('ip.src', 'eq', '')]), fields), 'ip.src eq ')
  assert.ok(language.check('ip.src eq '))
  assert.ok(language.check(printBuilder(groups([row('ip.src', 'in list', '')]), fields)))
})
