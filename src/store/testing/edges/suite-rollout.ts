import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EdgeReport } from '../../../model/rollout.ts'
import { refusal, type StoreUnderTest } from '../data.ts'

export function rolloutSuite({ store }: StoreUnderTest): void {
  test('a roll-out is off at first, and a change of it names the state that it read', async () => {
    const { rollout, revision } = await store().rollout.get()
    assert.equal(rollout.state, 'off')
    const idle = { ...rollout, state: 'idle', everywhere: 7, first: ['a'] } as const
    await store().rollout.put(idle, revision)
    await assert.rejects(store().rollout.put({ ...idle, everywhere: 8 }, revision), refusal('stale'))
    const changed = await store().rollout.get()
    assert.deepEqual(changed.rollout, idle)
    await store().rollout.put(rollout, changed.revision)
    assert.equal((await store().rollout.get()).rollout.state, 'off')
  })

  test('an edge has one report, the newest', async () => {
    const report = (edge: string, requests: number): EdgeReport => {
      return { edge, stage: 1, position: 2, requests, mitigated: 0, failed: 0 }
    }
    for (const one of [report('b', 1), report('a', 2), report('b', 3)]) await store().rollout.report(one)
    assert.deepEqual(await store().rollout.reports(), [report('a', 2), report('b', 3)])
  })
}
