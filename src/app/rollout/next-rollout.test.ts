import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EdgeReport, Rollout } from '../../model/rollout.ts'
import { nextRollout, type RolloutInput } from './next-rollout.ts'

const off: Rollout = { state: 'off', everywhere: 0, staged: 0, first: [], beganMs: 0, lastMs: 0, reason: '' }
const staged: Rollout = {
  ...off,
  state: 'staged',
  everywhere: 9,
  staged: 10,
  first: ['a'],
  beganMs: 1000,
  lastMs: 1000,
}

function report(edge: string, changes: Partial<EdgeReport> = {}): EdgeReport {
  return { edge, stage: 1000, position: 9, requests: 1000, mitigated: 100, failed: 10, ...changes }
}

const first = report('a', { position: 10 })
const input: RolloutInput = {
  head: 10,
  reports: [first, report('b'), report('c')],
  share: 10,
  periodMs: 60_000,
  nowMs: 2000,
}

test('without a share, every change is for every edge', () => {
  assert.equal(nextRollout(off, { ...input, share: 0 }), undefined)
  assert.equal(nextRollout({ ...staged, state: 'halted' }, { ...input, share: 0 })?.state, 'off')
})

test('the first edges are the share of the reporting edges, at least one and never all', () => {
  const edges = (count: number) =>
    Array.from({ length: count }, (_, at) => report(String(at).padStart(3, '0')))
  const rows: [edges: number, share: number, first: number][] = [
    [0, 10, 0],
    [1, 50, 0],
    [2, 10, 1],
    [3, 50, 2],
    [100, 10, 10],
  ]
  for (const [count, share, want] of rows) {
    const idle = nextRollout(off, input)!
    const next = nextRollout(idle, { ...input, reports: edges(count), share }) ?? idle
    assert.equal(next.first.length, want, `${share} % of ${count}`)
  }
})

test('changes wait for the period, then every edge gets them; without a first edge they do not wait', () => {
  const idle: Rollout = { ...staged, state: 'idle', staged: 9 }
  const begun = nextRollout(idle, { ...input, nowMs: 1000 })
  assert.deepEqual(begun, staged)
  assert.equal(nextRollout(staged, { ...input, nowMs: 60_999 }), undefined)
  const done = nextRollout(staged, { ...input, nowMs: 61_000 })
  assert.deepEqual([done?.state, done?.everywhere], ['idle', 10])
  assert.equal(nextRollout({ ...idle, first: [] }, { ...input, reports: [first] })?.everywhere, 10)
})

test('a further change begins the period again, four periods at most', () => {
  const more = nextRollout(staged, { ...input, head: 11, nowMs: 50_000 })!
  assert.deepEqual([more.staged, more.lastMs, more.beganMs], [11, 50_000, 1000])
  assert.equal(nextRollout(more, { ...input, head: 11, nowMs: 61_000 }), undefined)
  const late = { ...more, lastMs: 240_000 }
  assert.equal(nextRollout(late, { ...input, head: 11, nowMs: 241_000 })?.everywhere, 11)
})

test('a jump of mitigated or failed requests on the first edges withdraws the changes', () => {
  const rows: [name: string, first: Partial<EdgeReport>, halts: boolean][] = [
    ['the same shares', {}, false],
    ['half more', { mitigated: 150 }, false],
    ['twice as many mitigated', { mitigated: 200 }, true],
    ['fewer', { mitigated: 0, failed: 0 }, false],
    ['failures from 1 to 3 percent', { failed: 30 }, false],
    ['failures from 1 to 6 percent', { failed: 60 }, true],
    ['too few requests', { requests: 99, failed: 99 }, false],
    ['counts of another stage', { stage: 999, failed: 1000 }, false],
    ['an edge that has not got the changes', { position: 9, failed: 1000 }, false],
  ]
  for (const [name, changes, halts] of rows) {
    const reports = [{ ...first, ...changes }, report('b'), report('c')]
    assert.equal(nextRollout(staged, { ...input, reports })?.state, halts ? 'halted' : undefined, name)
  }
})

test('changes that no first edge has are not brought to the others', () => {
  const next = nextRollout(staged, { ...input, reports: [report('b')], nowMs: 61_000 })
  assert.equal(next?.state, 'halted')
  assert.match(next.reason, /none of the first edges/)
  assert.equal(nextRollout(next, { ...input, nowMs: 999_000 }), undefined, 'a person decides')
})

test('first edges that are gone are replaced when changes begin, and when a person stages them again', () => {
  const reports = [report('b'), report('c'), report('d')]
  const idle: Rollout = { ...staged, state: 'idle', first: ['gone'] }
  assert.deepEqual(nextRollout(idle, { ...input, reports })?.first, ['b'])
  const alone = nextRollout(idle, { ...input, reports: [report('b')] })
  assert.deepEqual([alone?.state, alone?.everywhere], ['idle', 10])
  const unknown = nextRollout(idle, { ...input, reports: [] })
  assert.deepEqual([unknown?.state, unknown?.first], ['staged', ['gone']])
})

test('when no first edge reports, the stage begins again with others, once', () => {
  const again = nextRollout(staged, { ...input, reports: [report('b'), report('c'), report('d')] })!
  assert.deepEqual(again, { ...staged, first: ['a', 'b'], beganMs: 2000, lastMs: 2000 })
  const late = { ...input, nowMs: 62_000 }
  assert.equal(nextRollout(again, { ...late, reports: [report('c'), report('d')] })?.state, 'halted')
  const has = report('b', { stage: 2000, position: 10 })
  assert.equal(nextRollout(again, { ...late, reports: [has, report('c')] })?.everywhere, 10)
  assert.equal(nextRollout(staged, { ...input, reports: [] }), undefined, 'the database was away')
})
