import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogpushHealth, LogpushJob } from '../../api/types.ts'
import { stateOf } from './health.ts'

test('a job that is behind is catching up, not delivering', () => {
  const shown = (enabled: boolean, state: LogpushHealth['state'], behind: boolean) =>
    stateOf({ enabled } as LogpushJob, { state, behind } as LogpushHealth)
  assert.deepEqual(shown(true, 'running', false), { word: 'Delivering', tone: 'good' })
  assert.deepEqual(shown(true, 'running', true), { word: 'Catching up', tone: 'warn' })
  assert.deepEqual(shown(true, 'retrying', true), { word: 'Retrying', tone: 'bad' })
  assert.deepEqual(shown(true, 'paused', true), { word: 'Stopped', tone: 'bad' })
  assert.deepEqual(shown(false, 'disabled', true), { word: 'Paused', tone: 'none' })
})
