import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Rollout } from '../../model/rollout.ts'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let path: string
before(async () => {
  api = await openTestApi()
  path = `/accounts/${api.accountId}/rollout`
})
after(() => api.close())

async function put(changes: Partial<Rollout>): Promise<void> {
  const { rollout, revision } = await api.store.rollout.get()
  await api.store.rollout.put({ ...rollout, ...changes }, revision)
}

test('a roll-out is off by default, and has nothing to decide', async () => {
  const { result } = (await api.send('GET', path)).body
  assert.deepEqual(result, { state: 'off', share: 10, changes: 0, first_edges: [], edges: [] })
  const refused = await api.send('POST', path, { action: 'go_back' })
  assert.equal(refused.status, 400)
  assert.equal((await api.send('POST', path, { action: 'stop' })).status, 400)
})

test('a person withdraws staged changes, stages them again, and brings them to all', async () => {
  const head = await api.store.changes.head()
  await put({
    state: 'staged',
    everywhere: head - 1,
    staged: head,
    first: ['a'],
    beganMs: 1000,
    lastMs: 2000,
  })
  const counts = { requests: 3, mitigated: 2, failed: 1 }
  await api.store.rollout.report({ edge: 'a', stage: 1000, position: head, ...counts })
  const staged = (await api.send('GET', path)).body.result
  assert.deepEqual(staged, {
    state: 'staged',
    share: 10,
    changes: 1,
    first_edges: ['a'],
    began_on: '1970-01-01T00:00:01.000000Z',
    ends_on: '1970-01-01T00:01:02.000000Z',
    edges: [{ id: 'a', first: true, has_changes: true, ...counts }],
  })
  const states: unknown[] = []
  for (const action of ['go_back', 'retry']) {
    const { state, reason } = (await api.send('POST', path, { action })).body.result
    states.push([action, state, reason])
  }
  assert.deepEqual(states, [
    ['go_back', 'halted', 'a person withdrew the changes'],
    ['retry', 'idle', undefined],
  ])
  await put({ state: 'staged' })
  await api.send('POST', path, { action: 'proceed' })
  const { rollout } = await api.store.rollout.get()
  assert.deepEqual([rollout.state, rollout.everywhere], ['idle', head])
  const { result: trail } = (await api.send('GET', `/accounts/${api.accountId}/audit_logs`)).body
  assert.equal((trail as { resource: { type: string } }[])[0]?.resource.type, 'rollout')
})
