import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { type CrsVersion, crsMissing, crsProgram } from '../testing/crs.ts'
import { type Outcome, outcomeOf, type Random, randomFrom } from '../testing/outcomes.ts'
import { pick, randomRequest } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program, send, type TestRequest } from '../testing/requests.ts'
import type { ExceptedTarget, ExceptionSpec, Program, ProgramRule } from '../types.ts'

/** An exception equals a first rule with `ctl:ruleRemoveById` and `ctl:ruleRemoveTargetById`. */

type Target = Omit<ExceptedTarget, 'rules'>

function controls(made: Program, { off, targets }: ExceptionSpec, id: number): string {
  const detection = made.rules.filter(rule => rule.role !== 'support')
  const removals = detection.filter(off).map(rule => `ctl:ruleRemoveById=${rule.id}`)
  const unseen = targets.flatMap(target =>
    detection.filter(target.rules).map(rule => `ctl:ruleRemoveTargetById=${rule.id};${written(target)}`),
  )
  return `SecAction "${[`id:${id},phase:1,nolog,pass`, ...removals, ...unseen].join(',')}"\n`
}

function written({ collection, key }: Target): string {
  if (key === undefined) return collection
  return `${collection}:${key.kind === 'exact' ? key.text : `/${key.text}/`}`
}

const targets: readonly Target[] = [
  { collection: 'ARGS' },
  { collection: 'ARGS', key: { kind: 'exact', text: 'a' } },
  { collection: 'ARGS', key: { kind: 'exact', text: 'B' } },
  { collection: 'ARGS', key: { kind: 'pattern', text: '^a' } },
  { collection: 'ARGS_GET' },
  { collection: 'ARGS_NAMES', key: { kind: 'pattern', text: '[b-z]$' } },
  { collection: 'REQUEST_HEADERS', key: { kind: 'exact', text: 'User-Agent' } },
  { collection: 'REQUEST_HEADERS', key: { kind: 'pattern', text: '^x-|refer' } },
  { collection: 'REQUEST_COOKIES' },
  { collection: 'REQUEST_URI' },
  { collection: 'QUERY_STRING' },
  { collection: 'REQUEST_BODY' },
  { collection: 'XML:/*' },
  { collection: 'RESPONSE_BODY' },
  { collection: 'RESPONSE_HEADERS' },
]

function randomSpec(random: Random): ExceptionSpec {
  const offEvery = 2 + random(6)
  const count = random(4)
  return {
    off: rule => rule.index % offEvery === 0,
    targets: Array.from({ length: count }, () => {
      const every = 1 + random(3)
      return { ...pick(targets, random), rules: (rule: ProgramRule) => rule.index % every === 0 }
    }),
  }
}

/** All but the wanted bodies: neither an exception nor a `ctl` changes these. */
function compare(
  made: Program,
  withControls: Program,
  specs: readonly ExceptionSpec[],
  request: TestRequest,
  about: string,
): Outcome {
  const exceptions = specs.map(spec => made.exception(spec))
  const excepted = outcomeOf(made, request, { exceptions })
  assert.deepEqual(excepted, outcomeOf(withControls, request), `${about}\n${JSON.stringify(request)}`)
  return excepted
}

describe('excepted and removed by a ctl: the same', () => {
  it('small random programs', () => {
    let changed = 0
    for (let seed = 0; seed < shareOf(1000); seed++) {
      const random = randomFrom(90_000 + seed)
      const text = randomRules(random)
      const made = program(text)
      const specs = Array.from({ length: 1 + random(2) }, () => randomSpec(random))
      const withControls = program(specs.map((spec, at) => controls(made, spec, 9000 + at)).join('') + text)
      for (let times = 4; times > 0; times--) {
        const request = randomMatch(random)
        const outcome = compare(made, withControls, specs, request, `seed ${seed}\n${text}`)
        if (outcome.matches.length !== outcomeOf(made, request).matches.length) changed++
      }
    }
    assert.ok(changed > shareOf(100), `${changed} requests with another outcome`)
  })

  for (const version of ['4.28.0', '3.3.10'] as const) {
    it(`CRS ${version}`, { skip: crsMissing }, () => compareCrs(version))
  }
})

function compareCrs(version: CrsVersion): void {
  const made = crsProgram(version)
  const random = randomFrom(17)
  for (let round = 0; round < 3; round++) {
    const specs = [randomSpec(random), randomSpec(random)]
    const settings = specs.map((spec, at) => controls(made, spec, 800_000 + at)).join('')
    const withControls = crsProgram(version, { settings })
    for (let times = shareOf(80); times > 0; times--)
      compare(made, withControls, specs, randomRequest(random), `round ${round}`)
  }
}

describe('an exception', () => {
  const rules = `
    SecRule ARGS "@contains evil" "id:1,phase:2,severity:2,tag:'paranoia-level/1'"
    SecRule REQUEST_HEADERS "@contains evil" "id:2,phase:1,severity:2,tag:'paranoia-level/1'"
    SecRule ARGS "@contains evil" "id:3,phase:2,nolog,pass,setvar:tx.seen=1"
    SecRule TX:seen "@eq 1" "id:4,phase:2"`
  const made = program(rules)
  const mask = made.mask(() => false)
  const request: TestRequest = {
    target: '/?q=evil&other=evil',
    headers: [
      ['Host', 'example.com'],
      ['X-Note', 'evil'],
    ],
  }
  const all = { off: () => false, targets: [] }
  const matched = (...specs: readonly ExceptionSpec[]): readonly string[] => {
    const exceptions = specs.map(spec => made.exception(spec))
    return outcomeOf(made, request, { mask, exceptions }).matches.map(text => JSON.parse(text)[0].toString())
  }

  it('of nothing changes nothing', () => {
    assert.deepEqual(matched(), ['2', '1', '4'])
    assert.deepEqual(matched(all), ['2', '1', '4'])
  })

  it('switches detection rules off and no other', () => {
    assert.deepEqual(matched({ ...all, off: () => true }), ['4'])
    assert.deepEqual(matched({ ...all, off: rule => rule.id === 1 }), ['2', '4'])
  })

  it('adds up with another one, and leaves both unchanged', () => {
    const [first, second] = [1, 2].map(id => made.exception({ ...all, off: rule => rule.id === id }))
    const ids = (...exceptions: Parameters<Program['begin']>[2] & object): readonly unknown[] =>
      outcomeOf(made, request, { mask, exceptions }).matches.map(text => JSON.parse(text)[0])
    assert.deepEqual(ids(first!, second!), [4])
    assert.deepEqual(ids(first!), [2, 4])
    assert.deepEqual(ids(second!), [1, 4])
    assert.deepEqual(send(made, request, mask).matched, ['2', '1', '4'])
  })

  it('takes values out of the targets of its rules', () => {
    const rules = () => true
    const unseen = (target: Target): readonly string[] => matched({ ...all, targets: [{ ...target, rules }] })
    assert.deepEqual(unseen({ collection: 'ARGS' }), ['2', '4'])
    assert.deepEqual(unseen({ collection: 'ARGS', key: { kind: 'exact', text: 'q' } }), ['2', '1', '4'])
    assert.deepEqual(unseen({ collection: 'ARGS', key: { kind: 'pattern', text: '^(q|other)$' } }), [
      '2',
      '4',
    ])
    const header = { collection: 'REQUEST_HEADERS', key: { kind: 'exact', text: 'x-NOTE' } } as const
    assert.deepEqual(unseen(header), ['1', '4'])
    assert.deepEqual(matched({ ...all, targets: [{ collection: 'ARGS', rules: rule => rule.id === 2 }] }), [
      '2',
      '1',
      '4',
    ])
  })

  it('stays whole when a ctl removes more', () => {
    const more = program(
      `SecAction "id:9,phase:2,nolog,pass,ctl:ruleRemoveById=1"${rules.replaceAll('phase:1', 'phase:2')}`,
    )
    const exception = more.exception({ ...all, off: rule => rule.id === 2 })
    for (let times = 2; times > 0; times--)
      assert.deepEqual(
        outcomeOf(more, request, { exceptions: [exception] }).matches.map(text => JSON.parse(text)[0]),
        [4],
      )
    const other = more.exception({ ...all, targets: [] })
    assert.deepEqual(outcomeOf(more, request, { exceptions: [other] }).matches.length, 2)
  })

  it('refuses unknown names', () => {
    const target = (of: Target): ExceptionSpec => ({ ...all, targets: [{ ...of, rules: () => true }] })
    assert.throws(() => made.exception(target({ collection: 'NOTHING' })), /no collection NOTHING/)
    assert.throws(
      () => made.exception(target({ collection: 'ARGS', key: { kind: 'pattern', text: '(' } })),
      /the regular expression \( is wrong/,
    )
    const foreign = program(rules).exception(all)
    assert.throws(() => outcomeOf(made, request, { mask, exceptions: [foreign] }), /the program that made it/)
  })
})
