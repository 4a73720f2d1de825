import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecurityEvent, Shadow } from '../../api/types.ts'
import { countOf, outcomesOf, topPaths } from './outcomes.ts'

const settings: Shadow = {
  enabled: true,
  version: 'latest',
  paranoia_level: 2,
  score_threshold: 25,
  sample_rate: 1,
  modified_on: '2026-01-01T00:00:00Z',
}

const recorded = { version: '2', paranoia_level: 2, threshold: 25, score: 30, would: 'block', differs: true }

function event(rayId: string, shadow: object | undefined, path = '/'): SecurityEvent {
  return { ray_id: rayId, path, metadata: shadow === undefined ? {} : { shadow } } as SecurityEvent
}

test('the shadow’s actions are compared with the zone’s', () => {
  const rows: readonly [name: string, shadow: object | undefined, want: string | undefined][] = [
    ['no shadow', undefined, undefined],
    ['it alone', recorded, 'would act'],
    ['the zone alone', { ...recorded, would: 'none' }, 'would let through'],
    ['both', { ...recorded, differs: false }, 'same'],
    ['neither', { ...recorded, would: 'none', differs: false }, 'same'],
    ['another level', { ...recorded, paranoia_level: 3 }, undefined],
    ['another threshold', { ...recorded, threshold: 24 }, undefined],
    ['another version of latest', { ...recorded, version: '1' }, 'would act'],
  ]
  for (const [name, shadow, want] of rows)
    assert.equal(outcomesOf([event('a', shadow)], settings)[0]?.verdict, want, name)
})

test('a pinned version excludes results of other versions', () => {
  const pinned = { ...settings, version: '2' }
  const found = outcomesOf([event('a', recorded), event('b', { ...recorded, version: '1' })], pinned)
  assert.deepEqual(
    found.map(({ rayId }) => rayId),
    ['a'],
  )
})

test('several events of a request count once, and paths are counted', () => {
  const events = [
    event('a', recorded, '/one'),
    event('a', recorded, '/one'),
    event('b', recorded, '/two'),
    event('c', recorded, '/two'),
    event('d', { ...recorded, would: 'none' }, '/one'),
  ]
  const found = outcomesOf(events, settings)
  assert.deepEqual([countOf(found, 'would act'), countOf(found, 'would let through')], [3, 1])
  assert.deepEqual(topPaths(found, 'would act', 1), [{ path: '/two', count: 2 }])
})
