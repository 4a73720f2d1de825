import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CompiledProgram } from '../program/program.ts'
import { program, send } from '../testing/requests.ts'

/** The prefilter saves work: no operator runs if a look at the value excludes a match. */

/** Ids of rules whose operator was tested on some argument, and these values. */
function asked(rules: string, target: string): string[] {
  const made = program(rules, { memoBytesMax: 0 })
  assert.ok(made instanceof CompiledProgram)
  const tests: string[] = []
  for (const { info, links } of made.ordered) {
    const operator = links[0]!.operator!
    const { test } = operator
    Object.assign(operator, {
      test: (value: string, view: Parameters<typeof test>[1]) => {
        tests.push(`${info.id} ${value}`)
        return test(value, view)
      },
    })
  }
  send(made, { target })
  return tests
}

const rules = `
  SecRule ARGS "@rx (?i)evil\\s+cat" "id:1,phase:2"
  SecRule ARGS "@contains passwd" "id:2,phase:2,t:lowercase,t:urlDecode"
  SecRule ARGS "@pm select union" "id:3,phase:2,t:removeNulls"
  SecRule ARGS "@rx [;<]" "id:4,phase:2,t:htmlEntityDecode"
  SecRule ARGS "@validateByteRange 32-126" "id:5,phase:2"
  SecRule ARGS:b "@rx ;|yy" "id:6,phase:2"
  SecRule ARGS:c "@rx yy|;" "id:9,phase:2"
  SecRule ARGS "@rx (?:bad|worse).*thing" "id:10,phase:2"
  SecRule ARGS "@streq verylongtext" "id:7,phase:2,t:base64Decode"
  SecRule ARGS "@contains secret" "id:8,phase:2,t:hexDecode"`

describe('the prefilter', () => {
  const rows: [target: string, want: string[]][] = [
    ['/?a=ordinary', []],
    ['/?a=ordinary&b=ordinary', []],
    ['/?a=evil+dog', []],
    ['/?a=evil+cat', ['1 evil cat']],
    ['/?a=a;b', ['4 a;b']],
    ['/?b=;', ['4 ;', '6 ;']],
    ['/?b=YY', ['6 YY']],
    ['/?c=YY&c=ordinary&b=ordinary', ['9 YY']],
    ['/?a=bad+worse', []],
    ['/?a=evil+evil', []],
    ['/?a=x', []],
    ['/?a=PASSWD', ['2 passwd']],
    ['/?a=passw%2564', ['2 passwd']],
    ['/?a=uni%00on', ['3 union', '5 uni\0on']],
  ]
  for (const [target, want] of rows) {
    it(`tests few rules for ${target}`, () => assert.deepEqual(asked(rules, target).sort(), want))
  }

  it('tests the only rule of a variable if a value or its transformations hold the bytes', () => {
    const only = 'SecRule ARGS_GET "@rx [;<]" "id:1,phase:1,t:urlDecode"'
    const target = `/?a=ordinary&b=x%253By&c=a;b&d=${'long'.repeat(40)}`
    assert.deepEqual(asked(only, target).sort(), ['1 a;b', '1 x;y'])
  })

  it('tests a value once for all its arguments', () => {
    const target = `/?${Array.from({ length: 40 }, (_, i) => `a${i}=evil+cat`).join('&')}`
    assert.deepEqual(asked('SecRule ARGS "@rx evil cat" "id:1,phase:2"', target), ['1 evil cat'])
  })
})
