import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { type CrsVersion, crsMissing, crsProgram } from '../testing/crs.ts'
import { type Outcome, outcomeOf, randomFrom } from '../testing/outcomes.ts'
import { randomRequest } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program, type TestRequest } from '../testing/requests.ts'
import type { Program, ProgramRule } from '../types.ts'

/** A mask equals the removal of its rules from the sources. */

function removal(rules: readonly ProgramRule[]): string {
  return rules.length === 0 ? '' : `\nSecRuleRemoveById ${rules.map(rule => rule.id).join(' ')}`
}

/** Detection rules that stay on either side: without any, other rules decide which bodies are wanted. */
const alwaysOn = [2, 4]
  .map(
    phase =>
      `\nSecRule REQUEST_BODY|RESPONSE_BODY "@streq never" "id:90${phase},phase:${phase},severity:2,tag:'paranoia-level/1'"`,
  )
  .join('')

function offOf(rules: Program, off: (rule: ProgramRule) => boolean): ProgramRule[] {
  return rules.rules.filter(rule => rule.role !== 'support' && off(rule))
}

describe('masked off and removed: the same', () => {
  it('small random programs', () => {
    let scores = 0
    for (let seed = 0; seed < shareOf(250); seed++) {
      const random = randomFrom(70_000 + seed)
      // `skip` counts masked rules, but not removed ones.
      const text = randomRules(random).replaceAll(/,skip:\d/g, '') + alwaysOn
      const made = program(text)
      const level = random(5)
      const isOff = (rule: ProgramRule): boolean => rule.paranoiaLevel > level && rule.id < 900
      const mask = made.mask(isOff)
      const without = program(text + removal(offOf(made, isOff)))
      for (let times = 4; times > 0; times--) {
        const request = randomMatch(random)
        const masked = found(made, request, mask)
        assert.deepEqual(
          masked,
          found(without, request),
          `seed ${seed} level ${level}\n${text}\n${JSON.stringify(request)}`,
        )
        if (masked.requestScore > 0) scores++
      }
    }
    assert.ok(scores > shareOf(50), `${scores} requests with a score`)
  })

  const levels: readonly (readonly [CrsVersion, number])[] = [
    ['4.28.0', 0],
    ['4.28.0', 1],
    ['4.28.0', 3],
    ['3.3.10', 2],
  ]
  for (const [version, level] of levels) {
    it(`CRS ${version} up to paranoia level ${level}`, { skip: crsMissing }, () => {
      compare(version, rule => rule.paranoiaLevel > level, 31 + level)
    })
  }

  for (const version of ['4.28.0', '3.3.10'] as const) {
    it(`CRS ${version} without every third rule, and without responses`, { skip: crsMissing }, () => {
      compare(version, rule => rule.role === 'response' || rule.id % 3 === 0, 41)
    })
  }
})

/** All but the wanted bodies: without detection rules, a program reads them for the remaining rules. */
function found(rules: Program, request: TestRequest, mask = rules.mask(() => false)): Omit<Outcome, 'wants'> {
  const { wants: _, ...rest } = outcomeOf(rules, request, { mask })
  return rest
}

function compare(version: CrsVersion, off: (rule: ProgramRule) => boolean, seed: number): void {
  const rules = crsProgram(version)
  const removed = offOf(rules, off)
  const without = crsProgram(version, { more: removal(removed) })
  const mask = rules.mask(off)
  const all = rules.mask(() => false)
  const random = randomFrom(seed)
  for (let round = 0; round < shareOf(120); round++) {
    const request = randomRequest(random)
    assert.deepEqual(found(rules, request, mask), found(without, request), JSON.stringify(request))
    // With all rules in between, so that the memo contains their values.
    if (round % 4 === 0) outcomeOf(rules, request, { mask: all })
  }
}
