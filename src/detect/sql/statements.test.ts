import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSqli } from './detect.ts'

/** Statements behind an operand of the surrounding statement, and words that only begin like them. */
const rows: readonly (readonly [value: string, isFound: boolean])[] = [
  ['1; drop table a', true],
  ['1; drop a', false],
  ['1; insert into a', true],
  ['1; insert a values(1)', true],
  ['1; insert a b', false],
  ['1; replace a values(1)', true],
  ['1; delete from a', true],
  ['1; delete a values(1)', false],
  ['1; create or replace function a', true],
  ["1; exec('a')", false],
  ["x'; exec('a')", true],
  ['a; exec xp_a', true],
  ['a; exec sp_a', true],
  ['a; exec b..c', true],
  ['a; exec b.c', false],
  ['1; call a(', true],
  ['1; call a', false],
  ["1; attach database 'a'", true],
  ['1; attach database a', false],
  // A command counts if a comment ends the value, and nothing but signs follow its mark.
  ["x'; show tables--", true],
  ["x'; show tables", false],
  ["x'; show tables-- for guests", false],
  ["x'; show the red tables, then leave --", true],
  ["x'; see tables--", false],
  ['x; show tables--', false],
  ["x'; do sleep(5)", true],
  ["x'; do sleep", false],
]

for (const [value, isFound] of rows) {
  test(`${isFound ? 'finds' : 'lets pass'} ${value}`, () => assert.equal(detectSqli(value) !== null, isFound))
}
