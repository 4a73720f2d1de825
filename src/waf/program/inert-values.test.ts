import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { outcomeOf, type Random, randomFrom } from '../testing/outcomes.ts'
import { pick } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program } from '../testing/requests.ts'
import { Entry } from '../variables/entry.ts'
import { variables } from '../variables/table.ts'
import { CompiledProgram } from './program.ts'

/** Chains that copy values into TX: which copies are left out, and that no request shows a difference. */

const chain = `SecRule REQUEST_HEADERS_NAMES "@rx ^.*$" \
    "id:1,phase:1,deny,capture,t:lowercase,setvar:'tx.name_%{tx.0}=/%{tx.0}/',msg:'%{MATCHED_VAR}',chain"
  SecRule TX:/^name_/ "@within %{tx.restricted}" "setvar:tx.found=1"`
const given = 'SecAction "id:2,phase:1,nolog,setvar:\'tx.restricted=/proxy/ /lock-token/\'"'

interface Row {
  readonly name: string
  readonly rules: string
  /** Of Host, Accept, Proxy and Cookie: those whose copy is left out. */
  readonly inert: readonly string[]
}

const rows: readonly Row[] = [
  { name: 'values that the second link does not match', rules: chain, inert: ['Host', 'Accept', 'Cookie'] },
  {
    name: 'not a value that another chain names',
    rules: `${chain}\nSecRule ARGS "@rx ." "id:3,phase:1,log,chain"\nSecRule TX:name_host "@rx ."`,
    inert: ['Accept', 'Cookie'],
  },
  {
    name: 'not a value that another rule selects by a pattern',
    rules: `${chain}\nSecRule TX:/_A/ "@rx ." "id:3,phase:1,log"`,
    inert: ['Host', 'Cookie'],
  },
  {
    name: 'not a value that a message shows, or that a rule counts up',
    rules: `${chain}\nSecAction "id:3,phase:1,msg:'%{tx.name_host}',setvar:tx.name_accept=+1"`,
    inert: ['Cookie'],
  },
  {
    name: 'one variable for all values',
    rules: chain.replace('tx.name_%{tx.0}=', 'tx.last=').replace('TX:/^name_/', 'TX:last'),
    inert: ['Host', 'Accept', 'Cookie'],
  },
  {
    name: 'not a value whose variable another rule sets',
    rules: `${chain}\nSecRule ARGS "@rx ." "id:3,phase:1,nolog,setvar:'tx.name_h%{tx.1}=/proxy/'"`,
    inert: ['Accept', 'Cookie'],
  },
  { name: 'none if a rule counts TX', rules: `${chain}\nSecRule &TX "@gt 2" "id:3,phase:1"`, inert: [] },
  {
    name: 'none if the copy depends on earlier ones',
    rules: chain.replace("=/%{tx.0}/'", "=+1'"),
    inert: [],
  },
  {
    name: 'none if the chain tests each value that has matched',
    rules: `${chain.replace('setvar:tx.found=1', 'chain')}\n  SecRule MATCHED_VARS "@streq host"`,
    inert: [],
  },
  {
    name: 'none if the message shows each value that has matched',
    rules: chain.replace('%{MATCHED_VAR}', '%{MATCHED_VARS_NAMES}'),
    inert: [],
  },
  {
    name: 'none if one variable may have several texts',
    rules: chain.replace('^.*$', '^(.)(.*)$').replace('tx.name_%{tx.0}', 'tx.name_%{tx.1}'),
    inert: [],
  },
]

const headers = ['Host', 'Accept', 'Cookie'].map(name => [name, 'a'] as const)

describe('copies without consequence', () => {
  for (const { name, rules, inert } of rows) {
    it(name, () => {
      const made = program(`${given}\n${rules}`)
      assert.ok(made instanceof CompiledProgram)
      const { inertValues } = made.ordered[1]!
      const view = { expand: () => '/proxy/ /lock-token/', limitReached: () => {} }
      const variable = variables.get('REQUEST_HEADERS_NAMES')!
      const found = ['Host', 'Accept', 'Proxy', 'Cookie'].filter(header =>
        inertValues?.has(new Entry(header, header), variable, view),
      )
      assert.deepEqual(found, inert)
      for (const more of [[], [['Proxy', 'a'] as const], [['X-New', 'a'] as const], []]) {
        const request = { headers: [...headers, ...more, ['Host', 'b'] as const] }
        assert.deepEqual(outcomeOf(made, request), outcomeOf(made, request, { exact: true }))
      }
    })
  }

  it('random chains among random rules', () => {
    let inert = 0
    for (let seed = 0; seed < shareOf(800); seed++) {
      const random = randomFrom(seed)
      const text = [randomChain(500, random), randomRules(random), randomChain(501, random)].join('\n')
      const made = program(text)
      assert.ok(made instanceof CompiledProgram)
      if (made.ordered.some(rule => rule.inertValues !== undefined)) inert++
      for (let times = 4; times > 0; times--) {
        const request = randomMatch(random)
        const shown = `seed ${seed}\n${text}\n${JSON.stringify(request)}`
        assert.deepEqual(outcomeOf(made, request), outcomeOf(made, request, { exact: true }), shown)
      }
    }
    assert.ok(inert > shareOf(160), `${inert} programs with inert values`)
  })

  it('known results end with the parameter of the test', () => {
    const made = program(`${given}
      SecRule ARGS:restrict "@rx ." "id:4,phase:1,nolog,pass,setvar:'tx.restricted=/%{MATCHED_VAR}/'"
      ${chain}`)
    const stops = (target: string): boolean => outcomeOf(made, { target, headers }).interruption !== undefined
    assert.deepEqual(['/', '/', '/?restrict=accept', '/', '/?restrict=host'].map(stops), [
      false,
      false,
      true,
      false,
      true,
    ])
  })

  it('long values and possible credentials are copied', () => {
    const cookies = chain.replace('REQUEST_HEADERS_NAMES', 'REQUEST_COOKIES')
    const made = program(`${given}\n${cookies}`)
    assert.ok(made instanceof CompiledProgram)
    const view = { expand: () => '', limitReached: () => {} }
    const isInert = (key: string, value: string) =>
      made.ordered[1]!.inertValues!.has(new Entry(key, value), variables.get('REQUEST_COOKIES')!, view)
    assert.deepEqual(
      [isInert('lang', 'en'), isInert('session', 'de'), isInert('lang', 'a '.repeat(33))],
      [true, false, false],
    )
  })
})

/** A chain that copies names or values into TX and compares the copies. */
function randomChain(id: number, random: Random): string {
  const copied = pick(['ARGS_NAMES', 'REQUEST_HEADERS_NAMES', 'REQUEST_HEADERS', 'ARGS'], random)
  const copy = pick(
    ['h_%{tx.0}=/%{tx.0}/', 'g_%{tx.1}=%{tx.0}', 'g=%{tx.0}', 'g_%{tx.0}=+1', 'g_%{tx.0}=%{tx.a}'],
    random,
  )
  const pattern = pick(['@rx ^.*$', '@rx ^(.)', '@rx [a-x]+'], random)
  const test = pick(['@within /x-a/ /host/ b evil', '@within %{tx.a} %{tx.h_a}', '!@streq %{tx.b}'], random)
  const selected = pick(['/^h_/', '/^g/', '/^g_/', 'g_h', 'g', '/_/'], random)
  return `SecRule ${copied} "${pattern}" \
      "id:${id},phase:${1 + random(2)},t:lowercase,capture,setvar:'tx.${copy}',msg:'%{tx.0}',chain"
    SecRule TX:${selected} "${test}" "setvar:tx.a=1"`
}
