import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { crsMissing, crsProgram } from '../testing/crs.ts'
import { outcomeOf, randomFrom } from '../testing/outcomes.ts'
import { randomRequest } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program, type TestRequest } from '../testing/requests.ts'
import type { Program } from '../types.ts'

/** Remembered values of earlier requests change nothing, with a full memo and with one that forgets most. */

/** By size of the memo: unlimited, none, and so small that little stays. */
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
  it('small random programs, requests sent again', () => {
    for (let seed = 0; seed < shareOf(120); seed++) {
      const random = randomFrom(50_000 + seed)
      const rules = randomRules(random)
      const made = programs(memoBytesMax => program(rules, { memoBytesMax }))
      const requests = Array.from({ length: 5 }, () => randomMatch(random))
      for (let times = 0; times < 20; times++) {
        compare(made, requests[random(5)]!, `seed ${seed}\n${rules}`)
      }
    }
  })

  it('CRS 4.28.0, requests sent again with values in other positions', { skip: crsMissing }, () => {
    const made = programs(memoBytesMax => crsProgram('4.28.0', { memoBytesMax }))
    const random = randomFrom(21)
    const kept: TestRequest[] = []
    for (let round = 0; round < shareOf(350); round++) {
      const isNew = kept.length < 3 || random(2) === 0
      const request = isNew
        ? randomRequest(random)
        : mixed(kept[random(kept.length)]!, kept[random(kept.length)]!)
      if (isNew) kept.push(request)
      if (kept.length > 40) kept.shift()
      compare(made, request, JSON.stringify(request))
    }
  })

  it('values with the same beginning', () => {
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

  it('masks do not share memos', () => {
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

/** Path and query of one request, headers and body of the other. */
function mixed({ target }: TestRequest, other: TestRequest): TestRequest {
  return target === undefined ? other : { ...other, target }
}
