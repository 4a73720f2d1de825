import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crsMissing, crsProgram } from './crs.test-support.ts'
import { outcomeOf, randomFrom } from './differential.test-support.ts'
import { randomRequest } from './random-requests.test-support.ts'
import { randomMatch, randomRules } from './random-rules.test-support.ts'
import { program, type TestRequest } from './test-support.ts'
import type { Program } from './types.ts'

/** What is remembered of values of earlier requests changes nothing: not in full, and not when most is forgotten. */

/** By how much memory there is: all of it, none, and so little that little stays. */
type Programs = Readonly<Record<'full' | 'none' | 'tiny', Program>>

function programs(make: (memoBytesMax: number) => Program): Programs {
  return { full: make(8 * 1024 * 1024), none: make(0), tiny: make(3000) }
}

function compare({ full, none, tiny }: Programs, request: TestRequest, shown: string): void {
  const want = outcomeOf(none, request)
  assert.deepEqual(outcomeOf(full, request), want, shown)
  assert.deepEqual(outcomeOf(tiny, request), want, shown)
}

describe('with a memo and without: the same', () => {
  it('small programs made at random, requests sent again', () => {
    for (let seed = 0; seed < 120; seed++) {
      const random = randomFrom(50_000 + seed)
      const rules = randomRules(random)
      const made = programs(memoBytesMax => program(rules, { memoBytesMax }))
      const requests = Array.from({ length: 5 }, () => randomMatch(random))
      for (let times = 0; times < 20; times++) {
        compare(made, requests[random(5)]!, `seed ${seed}\n${rules}`)
      }
    }
  })

  it('CRS 4.28.0, requests sent again and their values in other places', { skip: crsMissing }, () => {
    const made = programs(memoBytesMax => crsProgram('4.28.0', { memoBytesMax }))
    const random = randomFrom(21)
    const kept: TestRequest[] = []
    for (let round = 0; round < 350; round++) {
      const isNew = kept.length < 3 || random(2) === 0
      const request = isNew
        ? randomRequest(random)
        : mixed(kept[random(kept.length)]!, kept[random(kept.length)]!)
      if (isNew) kept.push(request)
      if (kept.length > 40) kept.shift()
      compare(made, request, JSON.stringify(request))
    }
  })

  it('values that begin alike', () => {
    const made = program(`
      SecRule ARGS "@endsWith evil" "id:1,phase:2"
      SecRule ARGS "@endsWith vil" "id:2,phase:2"
      SecRule ARGS "@streq aaaaaa" "id:3,phase:2"
      SecRule ARGS "@contains xx" "id:4,phase:2"`)
    const values = ['aaaaaa', 'aaaaaaevil', 'aaaaaaxx', 'aaaaaavil', 'aaaaa', 'aaaaaa', '', 'a', 'evil']
    const ids = (value: string): number[] =>
      outcomeOf(made, { target: `/?q=${value}` }).matches.map(match => JSON.parse(match)[0])
    const want = [[3], [1, 2], [4], [2], [], [3], [], [], [1, 2]]
    for (let times = 0; times < 2; times++) assert.deepEqual(values.map(ids), want)
  })

  it('masks do not share what they remember', () => {
    const made = program(`
      SecRule ARGS "@contains evil" "id:1,phase:2,severity:CRITICAL,tag:'paranoia-level/1'"
      SecRule ARGS "@contains vil" "id:2,phase:2,severity:CRITICAL,tag:'paranoia-level/2'"
      SecRule ARGS "@contains il" "id:3,phase:2,severity:CRITICAL,tag:'paranoia-level/3'"
      SecRule ARGS "@contains l" "id:4,phase:2,severity:CRITICAL,tag:'paranoia-level/4'"`)
    for (let times = 0; times < 3; times++) {
      for (let level = 0; level <= 4; level++) {
        const mask = made.mask(rule => rule.paranoiaLevel > level)
        const { requestScore } = outcomeOf(made, { target: '/?a=evil' }, { mask })
        assert.equal(requestScore, level * 5)
      }
    }
  })
})

/** Path and query of the one, headers and body of the other. */
function mixed({ target }: TestRequest, other: TestRequest): TestRequest {
  return target === undefined ? other : { ...other, target }
}
