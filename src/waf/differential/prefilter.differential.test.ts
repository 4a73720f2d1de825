import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { crsMissing, crsProgram, crsVersions } from '../testing/crs.ts'
import { outcomeOf, randomFrom } from '../testing/outcomes.ts'
import { pick, randomRequest } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program, type TestRequest } from '../testing/requests.ts'

/** Prefilter, constant folding and memo, compared with running all rules on all values, one by one. */

const phaseLists = [
  [1, 2, 3, 4, 5],
  [1, 2, 3, 4, 5],
  [1, 2, 5],
  [1, 5],
  [1, 2, 3, 5],
  [1, 2, 3, 4],
] as const

describe('with the prefilter and without: the same', () => {
  it('small random programs', () => {
    let matches = 0
    let stopped = 0
    for (let seed = 0; seed < shareOf(1400); seed++) {
      const random = randomFrom(seed)
      const rules = randomRules(random)
      const made = program(rules)
      const mask = made.mask(() => false)
      for (let times = 5; times > 0; times--) {
        const request = randomMatch(random)
        const phases = pick(phaseLists, random)
        const want = outcomeOf(made, request, { mask, phases, exact: true })
        const shown = `seed ${seed}\n${rules}\n${JSON.stringify(request)} ${phases}`
        assert.deepEqual(outcomeOf(made, request, { mask, phases }), want, shown)
        matches += want.matches.length
        if (want.interruption !== undefined) stopped++
      }
    }
    assert.ok(
      matches > shareOf(5000) && stopped > shareOf(100),
      `${matches} matches, ${stopped} interruptions`,
    )
  })

  for (const version of crsVersions) {
    for (const engine of ['On', 'DetectionOnly'] as const) {
      it(`CRS ${version}, engine ${engine}`, { skip: crsMissing }, () => {
        const rules = crsProgram(version, { engine })
        const mask = rules.mask(() => false)
        const random = randomFrom(engine === 'On' ? 11 : 12)
        const ids = new Set<string>()
        for (let round = 0; round < shareOf(600); round++) {
          const request = randomRequest(random)
          const want = outcomeOf(rules, request, { mask, exact: true })
          assert.deepEqual(outcomeOf(rules, request, { mask }), want, JSON.stringify(request))
          for (const match of want.matches) ids.add(match.slice(0, 7))
        }
        assert.ok(ids.size > 80, `${ids.size} different rules matched`)
      })
    }
  }
})

interface Row {
  readonly name: string
  readonly rules: string
  readonly request?: TestRequest
  readonly phases?: readonly (1 | 2 | 3 | 4 | 5)[]
  readonly want: readonly number[]
}

/** Cases that the comparison has found, or nearly. */
const rows: readonly Row[] = [
  {
    name: 'a value does not stand for its decoded form if that is too short',
    rules: `
      SecRule ARGS "@contains evil" "id:1,phase:2,t:base64Decode"
      SecRule ARGS "@contains evil" "id:2,phase:2,t:hexDecode"
      SecRule ARGS "@contains evil" "id:3,phase:2,t:base64Decode,t:lowercase,multiMatch"
      SecRule ARGS "@contains deaf" "id:4,phase:2,t:hexDecode,t:uppercase"`,
    request: { target: '/?a=evil&b=deaf' },
    want: [3],
  },
  {
    name: 'variables of the response have values in the phases before it, too',
    rules: `
      SecRule OUTBOUND_DATA_ERROR "@eq 0" "id:1,phase:1"
      SecRule RESPONSE_CONTENT_TYPE "!@rx html" "id:2,phase:2"
      SecRule OUTBOUND_DATA_ERROR "@eq 0" "id:3,phase:3"
      SecRule RESPONSE_CONTENT_TYPE "@rx html" "id:4,phase:3"
      SecRule RESPONSE_STATUS "@eq 200" "id:5,phase:2"`,
    want: [1, 2, 3, 4],
  },
  {
    name: 'one value in two variables, with separate rules for a key',
    rules: `
      SecRule ARGS:a "@contains evil" "id:1,phase:2"
      SecRule ARGS:b "@contains select" "id:2,phase:2"
      SecRule ARGS|!ARGS:b "@contains select" "id:3,phase:2"
      SecRule ARGS_GET "@contains evil" "id:4,phase:1"
      SecRule ARGS_NAMES "@contains evil" "id:5,phase:2"`,
    request: { target: '/?b=evil+select' },
    want: [4, 2],
  },
  {
    name: 'the same value under several names',
    rules: `
      SecRule ARGS:a "@contains evil" "id:1,phase:2"
      SecRule ARGS:b "@contains evil" "id:2,phase:2"
      SecRule ARGS:c "@contains evil" "id:3,phase:2,t:base64Decode"
      SecRule ARGS:d "@contains evil" "id:4,phase:2,t:lowercase"
      SecRule ARGS:e "@contains evil" "id:5,phase:2"`,
    request: { target: '/?c=evil&b=evil&d=EVIL&e=EVIL' },
    want: [2, 4],
  },
  {
    name: 'all literals must be there, each in any case, before and after decoding',
    rules: `
      SecRule ARGS "@rx (?i)evil.*passwd" "id:1,phase:2"
      SecRule ARGS "@rx (?i)evil.*passwd" "id:2,phase:2,t:urlDecode"
      SecRule ARGS "@rx evil.*passwd" "id:3,phase:2,t:lowercase"
      SecRule ARGS "@rx (?i)(?:union|select).*(?:passwd|shadow)" "id:4,phase:2"`,
    request: { target: '/?a=EVIL+x+PassWd&b=evil+%2570asswd&c=passwd+evil&d=SELECT+x+shadow&e=evil' },
    want: [1, 2, 3, 4],
  },
  {
    name: 'a rule of the last phase sees the request when the phases between were not run',
    rules: `
      SecRule ARGS "@contains evil" "id:1,phase:2"
      SecRule ARGS "@contains evil" "id:2,phase:5"
      SecRule REQUEST_HEADERS "@contains example" "id:3,phase:5"`,
    request: { target: '/?a=evil' },
    phases: [1, 5],
    want: [2, 3],
  },
  {
    name: 'a variable that only a pattern asks for, by any of its alternatives',
    rules: `
      SecRule ARGS "@rx x" "id:1,phase:1,nolog,setvar:tx.def=1,setvar:tx.q=1,setvar:tx.h_%{MATCHED_VAR}=1"
      SecRule TX:/^abc|def/ "@eq 1" "id:2,phase:1"
      SecRule TX:/^a\\d|q/ "@eq 1" "id:3,phase:1"
      SecRule TX:/^h_x/ "@eq 1" "id:4,phase:1"
      SecRule TX:/^ab/ "@eq 1" "id:5,phase:1"`,
    request: { target: '/?a=x' },
    want: [2, 3, 4],
  },
  {
    name: 'a variable is called as the rule called it that set it last',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.Name=1"
      SecAction "id:2,phase:1,nolog,setvar:tx.nAME=1"
      SecRule TX:name "@eq 1" "id:3,phase:1,msg:'%{MATCHED_VAR_NAME}'"`,
    want: [3],
  },
  {
    name: 'the last match stays until the next, of any rule',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.a=1"
      SecRule TX:a "@eq 1" "id:2,phase:1,nolog,setvar:tx.b=1"
      SecAction "id:3,phase:1,msg:'%{MATCHED_VAR_NAME}'"
      SecRule MATCHED_VAR "@eq 1" "id:4,phase:1"`,
    want: [3, 4],
  },
  {
    name: 'a capture that was set is no capture any more',
    rules: `
      SecRule ARGS "@rx (x)" "id:1,phase:1,nolog,capture"
      SecAction "id:2,phase:1,nolog,setvar:tx.0=set"
      SecRule TX:0 "@streq set" "id:3,phase:1,msg:'%{tx.1}'"`,
    request: { target: '/?a=x' },
    want: [3],
  },
  {
    name: 'variables in the order in which they were set, by requests or for all of them',
    rules: `
      SecRule ARGS "@rx x" "id:1,phase:1,nolog,setvar:tx.h_a=1"
      SecAction "id:2,phase:1,nolog,setvar:tx.h_b=1"
      SecRule TX:/^h_/ "@eq 1" "id:3,phase:1,msg:'%{MATCHED_VAR_NAME}'"`,
    request: { target: '/?a=x' },
    want: [3],
  },
  {
    name: 'lists of transformations that end alike',
    rules: `
      SecRule ARGS "@streq abc" "id:1,phase:2,t:lowercase,t:trim"
      SecRule ARGS "@streq ABC" "id:2,phase:2,t:trim"
      SecRule ARGS "@streq abc" "id:3,phase:2,t:trim"
      SecRule ARGS "@streq ABC" "id:4,phase:2,t:lowercase,multiMatch"
      SecRule ARGS "@streq abc" "id:5,phase:2,t:lowercase,t:removeNulls,multiMatch"
      SecRule ARGS "@streq xyz" "id:6,phase:2,t:lowercase,multiMatch"`,
    request: { target: '/?a=+ABC+&b=ABC&c=XYZ' },
    want: [1, 2, 4, 5, 6],
  },
  {
    name: 'transformations that remove bytes, add some, or need none',
    rules: `
      SecRule ARGS "@streq evil" "id:1,phase:2,t:removeWhitespace"
      SecRule ARGS "@streq evil" "id:2,phase:2,t:removeNulls"
      SecRule ARGS "@streq %65vil" "id:3,phase:2,t:none"
      SecRule ARGS "@streq ZXZpbA==" "id:4,phase:2,t:base64Encode"
      SecRule ARGS "@gt 300" "id:5,phase:2,t:length"
      SecRule ARGS "@streq EVIL" "id:6,phase:2,t:lowercase,t:uppercase"`,
    request: { target: `/?a=e+v+i+l&b=e%00vil&c=%2565vil&d=evil&e=${'x'.repeat(301)}` },
    want: [1, 2, 3, 4, 5, 6],
  },
]

describe('found by comparison', () => {
  for (const { name, rules, request = {}, phases = phaseLists[0], want } of rows) {
    it(name, () => {
      const made = program(rules)
      const exact = outcomeOf(made, request, { phases, exact: true })
      assert.deepEqual(
        exact.matches.map(match => JSON.parse(match)[0]),
        want,
      )
      // Twice: the second time values are known.
      for (let times = 0; times < 2; times++) {
        assert.deepEqual(outcomeOf(made, request, { phases }), exact)
      }
    })
  }
})
