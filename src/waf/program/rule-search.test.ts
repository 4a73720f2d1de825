import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wafLimits } from '../limits.ts'
import { program } from '../testing/requests.ts'
import { CompiledProgram } from './program.ts'
import { addRule, hasRule, newRuleBits, type RuleBits } from './rule-bits.ts'

/** Rules 0–39 of paranoia level 1, 40–79 of level 2, one of the response, and a support rule. */
const rules = [
  ...Array.from({ length: 80 }, (_, index) => detection(index, 2, index < 40 ? 1 : 2)),
  detection(80, 4, 1),
  'SecRule ARGS "@contains a81z" "id:82,phase:2,nolog"',
].join('\n')

function detection(index: number, phase: number, level: number): string {
  const target = phase === 2 ? 'ARGS' : 'RESPONSE_BODY'
  return `SecRule ${target} "@contains a${index}z" "id:${index + 1},phase:${phase},severity:2,tag:'paranoia-level/${level}'"`
}

function made(): CompiledProgram {
  const compiled = program(rules)
  assert.ok(compiled instanceof CompiledProgram)
  return compiled
}

function bitsOf(of: CompiledProgram, isIn: (index: number) => boolean): RuleBits {
  const bits = newRuleBits(of.rules.length)
  for (const { index } of of.rules) if (isIn(index)) addRule(bits, index)
  return bits
}

/** The support rule is always on. */
const on = (of: CompiledProgram, isOn: (index: number) => boolean): RuleBits =>
  bitsOf(of, index => index === 81 || isOn(index))

describe('the search of a mask', () => {
  it('is shared if masks differ in a few rules of the same levels', () => {
    const of = made()
    const one = of.searches.of(on(of, index => index < 40 && index !== 3))
    assert.equal(of.searches.of(on(of, index => index < 40 && index !== 17)), one)
    assert.equal(of.searches.of(on(of, index => index < 40)), one)
    assert.notEqual(of.searches.of(on(of, index => index < 80)), one)
    assert.notEqual(of.searches.of(on(of, index => index < 40 || index === 80)), one)
  })

  it('covers only its enabled rules if they are less than half', () => {
    const of = made()
    const level1 = of.searches.of(on(of, index => index < 40))
    // 41 rules with the support rule: 20 are less than half of them, 21 are not.
    assert.notEqual(of.searches.of(on(of, index => index < 19)), level1)
    assert.equal(of.searches.of(on(of, index => index < 20)), level1)
  })

  it('covers every enabled rule', () => {
    const of = made()
    const hits = (isOn: (index: number) => boolean, q: string): readonly number[] => {
      const transaction = of.begin(
        {
          clientIp: '192.0.2.1',
          clientPort: 1,
          serverPort: 80,
          method: 'GET',
          target: `/?q=${q}`,
          protocol: 'HTTP/1.1',
          headers: [],
          uniqueId: 'u',
          startedMs: 0,
        },
        of.mask(rule => !isOn(rule.index)),
      )
      for (const _ of transaction.requestHeaders());
      for (const _ of transaction.requestBody(true));
      return transaction.matches.map(match => match.rule.index)
    }
    assert.deepEqual(
      hits(index => index !== 12, 'a1z-a12z-a61z-a81z'),
      [1, 61],
    )
    assert.deepEqual(
      hits(index => index === 61, 'a1z-a12z-a61z-a81z'),
      [61],
    )
    assert.deepEqual(
      hits(() => false, 'a1z-a12z-a61z-a81z'),
      [],
    )
  })

  it('covers all rules once there are too many searches', () => {
    const of = made()
    const kept = Array.from({ length: wafLimits.searchesMax }, (_, index) =>
      of.searches.of(on(of, other => other === index)),
    )
    assert.equal(new Set(kept).size, wafLimits.searchesMax)
    const beyond = of.searches.of(on(of, index => index === 60))
    assert.equal(of.searches.of(on(of, index => index === 61)), beyond)
    assert.ok(!kept.includes(beyond))
    assert.equal(of.searches.of(on(of, index => index === 5)), kept[5])
    assert.ok(hasRule(of.groups.all, 81))
  })
})
