import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesMax, differencesOf } from './differences.ts'

const rule = (id: string, members: object = {}) => ({
  id,
  description: `Rule ${id}`,
  enabled: true,
  ...members,
})

test('changed values are listed one by one', () => {
  const rows: readonly [name: string, before: unknown, after: unknown, want: readonly string[]][] = [
    ['nothing', { a: 1, b: [1, 2] }, { a: 1, b: [1, 2] }, []],
    ['a member', { a: 1, b: 2 }, { a: 1, b: 3 }, ['b: 2 → 3']],
    ['a text', { a: 'x' }, { a: '' }, ['a: x → ']],
    ['a member inside', { a: { b: { c: true } } }, { a: { b: { c: false } } }, ['a › b › c: true → false']],
    ['one that comes', {}, { a: 1 }, ['a: undefined → 1']],
    ['one that goes', { a: null }, {}, ['a: null → undefined']],
    ['a list of values', { a: [1, 2] }, { a: [2, 1] }, ['a: [1,2] → [2,1]']],
    [
      'a rule that changed',
      { rules: [rule('1'), rule('2')] },
      { rules: [rule('2'), rule('1', { enabled: false })] },
      ['rules › Rule 1 › enabled: true → false'],
    ],
    ['a list that becomes empty', { a: [rule('1')] }, { a: [] }, [`a: ${JSON.stringify([rule('1')])} → []`]],
  ]
  for (const [name, before, after, want] of rows)
    assert.deepEqual(
      differencesOf(before, after).map(({ path, from, to }) => `${path}: ${from} → ${to}`),
      want,
      name,
    )
})

test('an added rule is listed whole', () => {
  const [found, ...more] = differencesOf({ rules: [rule('1')] }, { rules: [rule('1'), rule('2')] })
  assert.deepEqual(
    [found?.path, found?.from, JSON.parse(found?.to ?? ''), more],
    ['rules › Rule 2', undefined, rule('2'), []],
  )
})

test('a long list of values is cut', () => {
  const many = (value: number) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, value]))
  assert.equal(differencesOf(many(1), many(2)).length, differencesMax)
})
