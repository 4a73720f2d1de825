import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkExceededError } from '../../expressions/index.ts'
import { defaultZoneSettings } from '../../model/zone-settings.ts'
import type { PlanEffect } from '../../rulesets/plan/plan.ts'
import { eventually, planFor, planPhase, rule, startEdge, startOrigin } from '../testing/fixture.ts'

/** Rules whose expressions exceed the work budget. */
const tooCostly = () => {
  throw new WorkExceededError('a regular expression costs too much on this text')
}

const rows: readonly {
  name: string
  effect: PlanEffect
  onIncomplete: 'block' | 'allow'
  /** The zone's own setting. */
  onError?: 'block' | 'allow'
  status: number
}[] = [
  { name: 'a block', effect: { kind: 'action', action: 'block' }, onIncomplete: 'block', status: 500 },
  {
    name: 'a challenge',
    effect: { kind: 'action', action: 'challenge' },
    onIncomplete: 'block',
    status: 500,
  },
  {
    name: 'a block, allowed',
    effect: { kind: 'action', action: 'block' },
    onIncomplete: 'allow',
    status: 200,
  },
  {
    name: 'a block, allowed by the zone',
    effect: { kind: 'action', action: 'block' },
    onIncomplete: 'block',
    onError: 'allow',
    status: 200,
  },
  {
    name: 'a block, not allowed by the zone',
    effect: { kind: 'action', action: 'block' },
    onIncomplete: 'allow',
    onError: 'block',
    status: 500,
  },
  { name: 'a log', effect: { kind: 'action', action: 'log' }, onIncomplete: 'block', status: 200 },
  {
    name: 'a redirect',
    effect: { kind: 'redirect', status: 302, target: () => '/x', preserveQuery: false },
    onIncomplete: 'block',
    status: 200,
  },
]

for (const { name, effect, onIncomplete, onError, status } of rows) {
  test(`${name} that cannot be evaluated: ${status}`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end())
    const phase = planPhase('http_request_firewall_custom', { zone: [rule(effect, tooCostly, 'costly')] })
    const plan = {
      ...planFor(origin.url, { request: [phase] }),
      settings: { ...defaultZoneSettings, onError },
    }
    const { url, records, edge } = await startEdge(t, plan, { onIncomplete })
    assert.equal((await fetch(url, { redirect: 'manual' })).status, status)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['WAFFlags'], '0x4')
    const counted = edge.stats().incomplete.budget
    assert.deepEqual(counted, status === 500 ? { block: 1, allow: 0 } : { block: 0, allow: 1 })
  })
}

test('a response rule that cannot be evaluated changes nothing', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('whole'))
  const set = (name: string): PlanEffect => ({
    kind: 'rewrite-headers',
    changes: [{ operation: 'set', name, value: () => 'set' }],
  })
  const responseHeaders = [rule(set('x-costly'), tooCostly, 'costly'), rule(set('x-cheap'))]
  const { url } = await startEdge(t, planFor(origin.url, { responseHeaders }))
  const answer = await fetch(url)
  assert.equal(await answer.text(), 'whole')
  assert.deepEqual([answer.headers.get('x-costly'), answer.headers.get('x-cheap')], [null, 'set'])
})
