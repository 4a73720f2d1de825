import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, compilePartial, type Field, type Scheme, UnknownFieldError } from '../index.ts'

type Context = Readonly<Record<string, string | undefined>>

/** `a` to `e`; fields that the context lacks are unknown. */
const fields: readonly Field<Context>[] = ['a', 'b', 'c', 'd', 'e'].map(name => ({
  name,
  type: 'String',
  read: context => {
    if (!Object.hasOwn(context, name)) throw new UnknownFieldError(name)
    return context[name]
  },
}))
const scheme: Scheme<Context> = { fields: new Map(fields.map(field => [field.name, field])) }

const rows: readonly (readonly [text: string, context: Context, want: boolean | readonly string[]])[] = [
  ['a eq "1"', { a: '1' }, true],
  ['a eq "1"', { a: '2' }, false],
  ['a eq "1"', {}, ['a']],
  ['a eq "1" and b eq "1"', { a: '2' }, false],
  ['b eq "1" and a eq "1"', { a: '2' }, false],
  ['a eq "1" and b eq "1"', { a: '1' }, ['b']],
  ['a eq "1" or b eq "1"', { a: '1' }, true],
  ['b eq "1" or a eq "1"', { a: '1' }, true],
  ['a eq "1" or b eq "1"', { a: '2' }, ['b']],
  ['a eq "1" and b eq "1" and c eq "1"', { a: '1' }, ['b', 'c']],
  ['not a eq "1"', {}, ['a']],
  ['not a eq "1"', { a: '1' }, false],
  ['not (a eq "1" and b eq "1")', { b: '2' }, true],
  ['a eq "1" xor b eq "1"', { a: '1' }, ['b']],
  ['a eq "1" xor b eq "1"', { a: '1', b: '2' }, true],
  ['(a eq "1" or b eq "1") and (c eq "1" or d eq "1")', { a: '1', d: '2' }, ['c']],
  ['lower(a) in {"x" "y"} and len(b) gt 2', { a: 'X' }, ['b']],
  ['a matches "^x+$" or b contains "y"', { a: 'xx' }, true],
  // A field that is known to be missing is not unknown.
  ['a eq "1"', { a: undefined }, false],
]

test('known values decide where they can, and unknown fields are named', () => {
  for (const [text, context, want] of rows) {
    const outcome = compilePartial(text, scheme)
    assert.ok(outcome.ok, text)
    const result = outcome.test(context)
    assert.deepEqual(
      typeof result === 'boolean' ? result : [...result].sort(),
      want,
      `${text} ${JSON.stringify(context)}`,
    )
  }
})

test('with all fields known, the result equals that of compile', () => {
  for (const [text] of rows) {
    const [partial, whole] = [compilePartial(text, scheme), compile(text, scheme)]
    assert.ok(partial.ok && whole.ok)
    assert.deepEqual(partial.fields, whole.fields)
    for (const value of ['1', '2', 'xx', 'X', 'yyy']) {
      for (const other of ['1', 'y']) {
        const context = { a: value, b: other, c: value, d: other, e: '' }
        assert.equal(partial.test(context), whole.test(context), `${text} ${value} ${other}`)
      }
    }
  }
})

test('faults equal those of compile, and other errors are not caught', () => {
  assert.deepEqual(compilePartial('a eq', scheme), compile('a eq', scheme))
  const broken: Scheme<Context> = {
    fields: new Map([
      [
        'a',
        {
          name: 'a',
          type: 'String',
          read: () => {
            throw new TypeError('broken')
          },
        },
      ],
    ]),
  }
  const outcome = compilePartial('a eq "1"', broken)
  assert.ok(outcome.ok)
  assert.throws(() => outcome.test({}), TypeError)
})
