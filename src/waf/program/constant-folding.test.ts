import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { outcomeOf } from '../testing/outcomes.ts'
import { program } from '../testing/requests.ts'
import { phases } from './draft.ts'
import { CompiledProgram } from './program.ts'
import { hasRule, type RuleBits } from './rule-bits.ts'

/** Rules that only read TX run once for all requests: which ones, and that no request shows a difference. */

interface Row {
  readonly name: string
  readonly rules: string
  /** Ids of rules whose outcome is taken over. */
  readonly folded: readonly number[]
  /** Ids of rules that every request runs. */
  readonly visited: readonly number[]
}

const rows: readonly Row[] = [
  {
    name: 'rules that set variables, and rules that read them, link by link',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.a=1"
      SecRule TX:a "@eq 1" "id:2,phase:1,nolog,setvar:tx.b=%{tx.a}"
      SecRule TX:b "@eq 1" "id:3,phase:2,nolog,chain,setvar:tx.c=1"
        SecRule TX:a "@eq %{tx.b}" "setvar:!tx.b"
      SecRule &TX:b "@eq 0" "id:4,phase:5,nolog,setvar:tx.d=1"
      SecAction "id:5,phase:5,msg:'%{tx.a}%{tx.b}%{tx.c}%{tx.d}'"`,
    folded: [1, 2, 3, 4],
    visited: [5],
  },
  {
    name: 'rules that do not match are neither',
    rules: `
      SecRule TX:a "@eq 1" "id:1,phase:1,deny"
      SecRule &TX:a "!@eq 0" "id:2,phase:1,nolog,setvar:tx.b=1"
      SecRule TX:a "@eq 1" "id:3,phase:1,nolog,chain"
        SecRule ARGS "@rx ."`,
    folded: [],
    visited: [],
  },
  {
    name: 'rules skipped in every request are neither',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.level=1"
      SecRule TX:level "@lt 2" "id:2,phase:1,nolog,skipAfter:END"
      SecAction "id:3,phase:1,nolog,setvar:tx.a=1"
      SecAction "id:4,phase:1,msg:x"
      SecRule ARGS "@rx x" "id:5,phase:1"
      SecMarker END
      SecAction "id:6,phase:1,nolog,skip:1"
      SecAction "id:7,phase:1,msg:x"
      SecAction "id:8,phase:1,msg:x"`,
    folded: [1, 2, 6],
    visited: [8],
  },
  {
    name: 'rules that log, decide, have a severity, capture or do more than set variables are run',
    rules: `
      SecAction "id:1,phase:1,log,pass"
      SecAction "id:2,phase:1,nolog,deny"
      SecAction "id:3,phase:1,nolog,severity:2"
      SecRule TX:a|TX:b "@rx ^" "id:4,phase:1,nolog,capture"
      SecRule &TX:a "@eq 0" "id:5,phase:1,nolog,capture"
      SecAction "id:6,phase:1,nolog,ctl:ruleRemoveById=99"
      SecAction "id:7,phase:1,nolog,initcol:ip=x"
      SecAction "id:8,phase:1,nolog,setvar:ip.x=1"
      SecAction "id:9,phase:1,nolog,setvar:tx.%{tx.a}=1"
      SecAction "id:10,phase:1,nolog,setvar:tx.a=%{REMOTE_ADDR}"
      SecAction "id:11,phase:1,nolog,setvar:tx.a=%{tx.0}"
      SecAction "id:12,phase:1,nolog,setvar:tx.3=1"
      SecAction "id:13,phase:1,nolog,setvar:tx.c=1"`,
    folded: [13],
    visited: [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12],
  },
  {
    name: 'rules that read more than named variables are run, unless the prefilter finds them',
    rules: `
      SecRule &TX "@ge 0" "id:1,phase:1,nolog"
      SecRule &TX:/a/ "@ge 0" "id:2,phase:1,nolog"
      SecRule &TX:0 "@eq 0" "id:3,phase:1,nolog"
      SecRule &ARGS "@eq 0" "id:4,phase:1,nolog"
      SecRule ARGS "@rx ." "id:5,phase:1,nolog"
      SecRule &TX:a "@eq %{REMOTE_PORT}" "id:6,phase:1,nolog"
      SecRule &TX:a "@eq 0" "id:7,phase:1,nolog,chain"
        SecRule &ARGS "@eq 0"
      SecRule &TX:a "@eq 0" "id:8,phase:1,nolog,setvar:tx.b=1"`,
    folded: [8],
    visited: [1, 2, 3, 6, 7],
  },
  {
    name: 'rules that set a variable selected by a pattern are run, so that the order of variables stays',
    rules: `
      SecAction "id:1,phase:1,nolog,setvar:tx.h_a=1"
      SecAction "id:2,phase:1,nolog,setvar:tx.other=1"
      SecRule TX:/^h_/ "@rx ." "id:3,phase:2"`,
    folded: [2],
    visited: [1, 3],
  },
]

function idsIn(made: CompiledProgram, bits: (run: Bits) => RuleBits): number[] {
  const runs = [made.foldedRun(1)]
  for (const phase of phases.slice(1)) runs.push(runs.at(-1)!.after(phase))
  return made.rules.filter(({ index }) => runs.some(run => hasRule(bits(run), index))).map(rule => rule.id)
}

type Bits = ReturnType<CompiledProgram['foldedRun']>

describe('a folded run', () => {
  for (const { name, rules, folded, visited } of rows) {
    it(name, () => {
      const made = program(rules)
      assert.ok(made instanceof CompiledProgram)
      assert.deepEqual(
        { folded: idsIn(made, run => run.folded), visited: idsIn(made, run => run.visit) },
        { folded, visited },
      )
    })
  }
})

/** Defaults, guards, sums and jumps, as in a large rule set, over three phases. */
const machine: readonly string[] = [
  `SecAction "id:1,phase:1,nolog,tag:machine,setvar:tx.a=1,setvar:tx.H=x"`,
  `SecRule &TX:b "@eq 0" "id:2,phase:1,nolog,tag:machine,setvar:tx.b=5"`,
  `SecRule TX:a "@lt 2" "id:3,phase:1,nolog,skipAfter:END"`,
  `SecAction "id:4,phase:1,nolog,setvar:tx.c=9"`,
  `SecRule TX:c "@eq 9" "id:5,phase:1,nolog,tag:machine,setvar:tx.a=+1"`,
  'SecMarker END',
  `SecRule TX:b "@ge 5" "id:6,phase:1,nolog,chain,setvar:tx.d=+1"
    SecRule TX:a "@eq 1" "setvar:tx.d=+10"`,
  `SecRule TX:d "@ge 1" "id:7,phase:1,nolog,skip:1"`,
  `SecAction "id:8,phase:1,nolog,setvar:tx.d=100"`,
  `SecRule TX:d "@ge 100" "id:9,phase:1,msg:'%{tx.d}'"`,
  `SecAction "id:10,phase:2,nolog,setvar:tx.e=%{tx.d},setvar:!tx.h"`,
  `SecRule TX:e "@ge 11" "id:11,phase:2,nolog,tag:machine,setvar:tx.f=+2"`,
  `SecRule TX:f "@eq 2" "id:12,phase:2,nolog,skipAfter:LATER"`,
  `SecAction "id:13,phase:2,msg:'not skipped'"`,
  'SecMarker LATER',
  `SecRule TX:b "@gt 90" "id:14,phase:2,deny,status:406,msg:'%{tx.b}'"`,
  `SecRule TX:g "@ge 1" "id:15,phase:3,nolog,setvar:tx.f=+100"`,
  `SecAction "id:16,phase:5,nolog,setvar:tx.g=+1"`,
]

/** A change that a request can make. The first link matches if `go` is 1. */
const disturbances: readonly string[] = [
  'setvar:tx.a=2',
  'setvar:tx.a=+1',
  'setvar:tx.B=99',
  'setvar:!tx.b',
  'setvar:tx.c=9',
  'setvar:tx.d=0',
  'setvar:tx.e=1',
  'setvar:tx.f=-1',
  'setvar:tx.g=1',
  'setvar:tx.unused=1',
  'setvar:tx.%{ARGS.name}=7',
  'setvar:tx.%{ARGS.part}=7',
  'setvar:!tx.%{ARGS.name}',
  'capture,setvar:tx.d=%{tx.0}',
  'skipAfter:END',
  'skipAfter:LATER',
  'skipAfter:NOWHERE',
  'skip:1',
  'skip:3',
  'ctl:ruleRemoveById=1-2',
  'ctl:ruleRemoveById=3',
  'ctl:ruleRemoveById=6-7',
  'ctl:ruleRemoveById=10-12',
  'ctl:ruleRemoveByTag=machine',
  'ctl:ruleRemoveTargetById=3;TX:a',
  'ctl:ruleRemoveTargetById=6-12;TX',
  'ctl:ruleRemoveTargetByTag=machine;TX:/[ce]/',
  'ctl:ruleRemoveTargetById=99;ARGS',
  'ctl:ruleEngine=Off',
  'ctl:ruleEngine=DetectionOnly',
  'ctl:ruleEngine=On',
  'deny',
  'deny,setvar:tx.b=1',
  "redirect:'/%{tx.a}%{tx.d}'",
  'allow',
  'allow:phase',
  'allow:request',
]

const reports = [1, 2, 5].map(
  phase =>
    `SecAction "id:9${phase},phase:${phase},msg:'%{tx.a} %{tx.b} %{tx.c} %{tx.d} %{tx.e} %{tx.f} %{tx.g} %{tx.h} %{tx.0}'"`,
)

const phaseLists = [
  [1, 2, 3, 4, 5],
  [1, 5],
  [1, 2, 5],
] as const

const requests = ['/?go=1&name=b&part=a', '/?go=1&name=unused', '/?go=0'].map(target => ({ target }))

/** @param lists phases that requests go through */
function sameAsExact(text: string, lists: readonly (typeof phaseLists)[number][] = phaseLists): void {
  const made = program(text)
  const mask = made.mask(() => false)
  for (const request of requests) {
    for (const phases of lists) {
      const want = outcomeOf(made, request, { mask, phases, exact: true })
      assert.deepEqual(
        outcomeOf(made, request, { mask, phases }),
        want,
        `${text}\n${request.target} ${phases}`,
      )
    }
  }
}

it('once a rule has scored, rules that depend on scores run, and so do the rules that they may skip', () => {
  const made = program(`
    SecAction "id:1,phase:1,nolog,setvar:tx.level=1,setvar:tx.points=5"
    SecAction "id:2,phase:1,nolog,setvar:tx.score=0"
    SecRule TX:level "@lt 2" "id:3,phase:2,nolog,skipAfter:HIGH"
    SecRule ARGS "@rx evil" "id:4,phase:2,setvar:tx.score=+%{tx.points}"
    SecMarker HIGH
    SecRule ARGS "@rx bad" "id:5,phase:2,setvar:tx.score=+%{tx.points}"
    SecAction "id:6,phase:2,nolog,setvar:tx.sum=+%{tx.score}"
    SecRule TX:sum "@gt 9" "id:7,phase:2,deny"
    SecRule TX:sum "@eq 0" "id:8,phase:5,nolog,skip:1"
    SecRule TX:level "@eq 1" "id:9,phase:5,nolog,setvar:tx.told=1"
    SecRule TX:level "@eq 1" "id:10,phase:5,nolog,setvar:tx.end=1"`)
  assert.ok(made instanceof CompiledProgram)
  assert.deepEqual(
    idsIn(made, run => run.steady.folded),
    [1, 3, 10],
  )
  assert.deepEqual(
    idsIn(made, run => run.steady.visit),
    [2, 6, 7, 8, 9],
  )
})

describe('a request that disturbs it at any rule', () => {
  it('runs as without folding', () => {
    for (let at = 0; at <= machine.length; at++) {
      for (const [index, disturbance] of disturbances.entries()) {
        // Each meets both phases and all lists, at one rule or another.
        const turn = at + index
        for (const phase of shareOf(2) === 2 ? [1, 2] : [1 + (turn % 2)]) {
          const chain = phase === 2 ? ',chain' : ''
          const rule = `SecRule ARGS:go "@rx ^1$" "id:50,phase:${phase},nolog,${disturbance}${chain}"`
          const link = phase === 2 ? ['SecRule ARGS:name "@rx ."'] : []
          const rules = [...machine.slice(0, at), rule, ...link, ...machine.slice(at), ...reports]
          const lists = Array.from({ length: shareOf(3) }, (_, more) => phaseLists[(turn + more) % 3]!)
          sameAsExact(rules.join('\n'), lists)
        }
      }
    }
  })

  it('the same when the engine only detects, and when it is off', () => {
    for (const mode of ['DetectionOnly', 'Off']) {
      for (const disturbance of disturbances) {
        const rule = `SecRule ARGS:go "@rx ^1$" "id:50,phase:1,nolog,${disturbance}"`
        const rules = [`SecRuleEngine ${mode}`, ...machine.slice(0, 7), rule, ...machine.slice(7), ...reports]
        sameAsExact(rules.join('\n'))
      }
    }
  })

  it('changes values that its rules compare with, or copy', () => {
    const rows: [rule: string, want: string][] = [
      ['SecRule TX:a "@eq %{tx.b}" "id:3,phase:1,nolog,setvar:tx.c=seen"', 'seen'],
      ['SecAction "id:3,phase:1,nolog,setvar:tx.c=%{tx.b}"', '1'],
      ['SecAction "id:3,phase:1,nolog,setvar:tx.c=+%{tx.b}"', '1'],
      ['SecRule &TX:b "@eq 1" "id:3,phase:1,nolog,setvar:tx.c=seen"', 'seen'],
      ['SecRule TX:a "@eq 1" "id:3,phase:1,nolog,chain"\nSecRule TX:b "@eq 1" "setvar:tx.c=seen"', 'seen'],
    ]
    for (const [rule, want] of rows) {
      const text = `
        SecAction "id:1,phase:1,nolog,setvar:tx.a=1"
        SecRule ARGS:go "@rx ^1$" "id:2,phase:1,nolog,setvar:tx.b=1"
        ${rule}
        SecAction "id:4,phase:5,msg:'%{tx.c}'"`
      sameAsExact(text)
      assert.deepEqual(outcomeOf(program(text), requests[0]!).matches, [
        JSON.stringify([4, '', '', want, '']),
      ])
    }
  })

  it('keeps the values known until then', () => {
    const [request] = requests
    const rule = `SecRule ARGS:go "@eq 1" "id:50,phase:2,nolog,setvar:tx.f=7"`
    const made = program([...machine.slice(0, 11), rule, ...machine.slice(11), ...reports].join('\n'))
    assert.deepEqual(
      outcomeOf(made, request!).matches.map(match => JSON.parse(match)[3]),
      ['1 5  11    x ', 'not skipped', '1 5  11 11 9   ', '1 5  11 11 9 1  '],
    )
  })
})

it('a too long body is refused before phase 2, with the variables of phase 1', () => {
  const made = program(`
    SecRequestBodyLimit 4
    SecRequestBodyLimitAction Reject
    SecAction "id:1,phase:1,nolog,setvar:tx.a=1"
    SecAction "id:2,phase:2,nolog,setvar:tx.a=2"
    SecAction "id:3,phase:5,msg:'%{tx.a}'"`)
  const { interruption, matches } = outcomeOf(made, { body: 'abcde' })
  assert.deepEqual(interruption, { ruleId: 0, action: 'deny', status: 413 })
  assert.deepEqual(matches, ['[3,"","","1",""]'])
})
