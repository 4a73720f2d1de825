import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiLower } from '../kit/ascii.ts'
import { sqliRequirements, xssRequirements } from './index.ts'
import { ordinaryValues } from './testing/ordinary-values.ts'
import { foundAgainstRequirements, meets } from './testing/requirements.ts'
import { scriptAttacks } from './testing/script-attacks.ts'
import { sqlAttacks } from './testing/sql-attacks.ts'

function randomBelow(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
}

const sqlPieces =
  `or and xor || && 1 null true unknown x 'a' " ' -- # /* /**/ /*! ; ( ) , . = < like in is not
  between union except select case when exists from where having limit order group by procedure analyse values set @a
  @@v drop table exec xp_a declare shutdown waitfor delay into outfile sleep( user() version ascii( $$ \` [ ] + - ~ ! :: \\
  dual information_schema.a f( date interval`.split(/\s+/)
const scriptPieces =
  `< <a <b <script <svg <link </a <!-- --> <! <? > / = " ' \` on onclick onx style href src data:
  javascript: java script : & &#58; &colon; &Tab; ( ) expression( srcdoc formaction attributename xmlns if [if x y
  /* */ &lpar; \x01 content values`.split(/\s+/)

function* mixtures(pieces: readonly string[], count: number): Generator<string> {
  const random = randomBelow(20_240_517)
  const glue = ['', '', ' ', ' ', '\t', '/**/', '\0', '\xa0']
  for (let round = 0; round < count; round++) {
    let value = ''
    for (let left = 1 + random(8); left > 0; left--) {
      value += pieces[random(pieces.length)]! + glue[random(glue.length)]!
    }
    yield value
  }
}

/** Attacks with a part removed, repeated, or replaced by a part of another one. */
function* mutations(attacks: readonly string[], count: number): Generator<string> {
  const random = randomBelow(942_941)
  for (let round = 0; round < count; round++) {
    const value = attacks[random(attacks.length)]!
    const other = attacks[random(attacks.length)]!
    const from = random(value.length + 1)
    const to = from + random(4)
    const cut = random(other.length + 1)
    const part = ['', value.slice(from, to).repeat(2), other.slice(cut, cut + random(6))][random(3)]!
    yield value.slice(0, from) + part + value.slice(to)
  }
}

test('every attack meets the requirements', () => {
  assert.deepEqual(foundAgainstRequirements([...sqlAttacks, ...scriptAttacks]), [])
  assert.deepEqual(
    sqlAttacks.filter(value => !meets(sqliRequirements, value)),
    [],
  )
  assert.deepEqual(
    scriptAttacks.filter(value => !meets(xssRequirements, value)),
    [],
  )
})

test('detected mixtures of tokens meet the requirements', () => {
  assert.deepEqual(foundAgainstRequirements(mixtures(sqlPieces, 40_000)), [])
  assert.deepEqual(foundAgainstRequirements(mixtures(scriptPieces, 40_000)), [])
})

test('detected mutants of attacks meet the requirements', () => {
  assert.deepEqual(foundAgainstRequirements(mutations(sqlAttacks, 20_000)), [])
  assert.deepEqual(foundAgainstRequirements(mutations(scriptAttacks, 20_000)), [])
})

test('literals are lower case and not empty', () => {
  for (const clause of [...sqliRequirements, ...xssRequirements]) {
    if (clause.kind !== 'literals') continue
    assert.deepEqual(clause.literals.map(asciiLower), clause.literals)
    assert.ok(clause.literals.every(literal => literal !== ''))
  }
})

test('ordinary values need no detector', () => {
  const rows: [value: string, sql: boolean, xss: boolean][] = [
    ['hello', false, false],
    ['GA1.2.1234567890.1700000000', false, false],
    ['2024-05-17T10:30:00Z', false, false],
    ['550e8400-e29b-41d4-a716-446655440000', false, false],
    ['/static/css/main.4f2a.css', false, false],
    ['The quick brown fox jumps over the lazy dog and goes home for now', false, false],
    ["O'Brien", false, false],
    ['john.smith99@example.com', false, false],
    ['session=abc123; theme=dark', false, false],
    ['dGhlIHF1aWNrIGJyb3duIGZveA==', false, false],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      false,
      false,
    ],
    ['1 or 1', true, false],
    ["'='", true, false],
    ['x onclick=1', false, true],
    ['javascript:x()', false, true],
  ]
  for (const [value, sql, xss] of rows) {
    assert.deepEqual([meets(sqliRequirements, value), meets(xssRequirements, value)], [sql, xss], value)
  }
  // Most of the list is there because it resembles an attack.
  assert.ok(ordinaryValues.filter(value => meets(sqliRequirements, value)).length < ordinaryValues.length / 2)
  assert.ok(ordinaryValues.filter(value => meets(xssRequirements, value)).length < ordinaryValues.length / 10)
})
