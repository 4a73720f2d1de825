import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { outcomeOf, randomFrom } from '../testing/outcomes.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program } from '../testing/requests.ts'
import { Entry } from '../variables/entry.ts'
import { variables } from '../variables/table.ts'
import { CompiledProgram } from './program.ts'
import { newRuleBits } from './rule-bits.ts'

/** Rules that count values in TX: which counters are left out, and that no request shows a difference. */

const counts = `SecRule ARGS_NAMES "@rx ." "id:1,phase:2,pass,nolog,setvar:'tx.count_%{MATCHED_VAR_NAME}=+1'"`
const reads = 'SecRule TX:/^count_/ "@gt 1" "id:2,phase:2,deny,msg:\'%{MATCHED_VAR_NAME}\'"'

interface Row {
  readonly name: string
  readonly rules: string
  /** Names among a, b and other that are not counted while rule 2 is disabled. */
  readonly unread: readonly string[]
}

const rows: readonly Row[] = [
  { name: 'all names while no enabled rule reads them', rules: counts, unread: ['a', 'b', 'other'] },
  {
    name: 'not a name that another rule reads by a pattern',
    rules: `${counts}\nSecRule TX:/her$/ "@gt 0" "id:3,phase:2,deny"`,
    unread: ['a', 'b'],
  },
  {
    name: 'not a name that a message shows',
    rules: `${counts}\nSecAction "id:3,phase:2,msg:'%{tx.count_args_names:a}'"`,
    unread: ['b', 'other'],
  },
  { name: 'none if a rule counts TX', rules: `${counts}\nSecRule &TX "@gt 2" "id:3,phase:2"`, unread: [] },
  { name: 'none if the match is reported', rules: counts.replace('nolog', 'log'), unread: [] },
  {
    name: 'none if all values share a variable',
    rules: counts.replace('%{MATCHED_VAR_NAME}', ''),
    unread: [],
  },
]

const targets = ['/', '/?a=1', '/?a=1&a=2&other=3', '/?other=1&other=2&b=3&b=4']

describe('variables that no enabled rule reads', () => {
  for (const { name, rules, unread } of rows) {
    it(name, () => {
      const made = program(`${rules}\n${reads}`)
      assert.ok(made instanceof CompiledProgram)
      const { inertValues } = made.ordered[0]!
      const variable = variables.get('ARGS_NAMES')!
      const view = { expand: () => '', limitReached: () => {} }
      const withoutReader = newRuleBits(made.ordered.length).fill(0x3fffffff)
      withoutReader[0]! &= ~(1 << made.ordered.findIndex(rule => rule.info.id === 2))
      inertValues?.begin(view, withoutReader)
      const found = ['a', 'b', 'other'].filter(key => inertValues?.has(new Entry(key, key), variable, view))
      assert.deepEqual(found, unread)
      inertValues?.begin(view, newRuleBits(made.ordered.length).fill(0x3fffffff))
      assert.ok(inertValues?.has(new Entry('a', 'a'), variable, view) !== true)
    })

    it(`${name}: same outcome`, () => {
      const made = program(`${rules}\n${reads}`)
      for (const hidden of [-1, 2, 3, -1]) {
        const mask = made.mask(rule => rule.id === hidden)
        for (const target of targets) {
          const outcome = outcomeOf(made, { target }, { mask })
          assert.deepEqual(outcome, outcomeOf(made, { target }, { mask, exact: true }))
        }
      }
    })
  }

  it('random rules under random masks', () => {
    for (let seed = 0; seed < shareOf(500); seed++) {
      const random = randomFrom(seed)
      const text = [
        counts.replace('id:1', 'id:500'),
        randomRules(random),
        reads.replace('id:2', 'id:501'),
      ].join('\n')
      const made = program(text)
      for (let times = 4; times > 0; times--) {
        const mask = made.mask(({ id }) => id === 501 || random(3) === 0)
        const request = randomMatch(random)
        const shown = `seed ${seed}\n${text}\n${JSON.stringify(request)}`
        assert.deepEqual(
          outcomeOf(made, request, { mask }),
          outcomeOf(made, request, { mask, exact: true }),
          shown,
        )
      }
    }
  })
})

describe('values that a later link cannot match', () => {
  it('are found by their bytes', () => {
    const made = program(`SecRule REQUEST_METHOD "@streq GET" "id:1,phase:1,deny,chain"
      SecRule ARGS|ARGS_NAMES "@validateUtf8Encoding" "t:none"`)
    const targets = ['/?a=b', '/?a=%c3%a4', '/?a=%c3', '/?%ff=1', `/?a=b&c=${'x'.repeat(5000)}%80`]
    const stops = targets.map(target => outcomeOf(made, { target }).interruption !== undefined)
    assert.deepEqual(stops, [false, false, true, true, true])
  })
})
