import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogpushOverview } from '../../api/types.ts'
import { deliveryOf, shortDeliveryOf, troubleWord } from './delivery.ts'

const job = { job_id: 3, name: 'payments', zone: null, lag_seconds: 0, error_message: null }
const well: LogpushOverview = {
  jobs: 4,
  enabled: 3,
  looked_at: 3,
  stopped: 0,
  retrying: 0,
  behind: 0,
  lag_seconds_max: 0,
  lines: 7,
  worst: [],
}
const late: LogpushOverview = {
  ...well,
  behind: 1,
  lag_seconds_max: 1980,
  worst: [{ ...job, name: '', state: 'running', behind: true, lag_seconds: 1980 }],
}
const stopped: LogpushOverview = {
  ...late,
  stopped: 1,
  worst: [{ ...job, state: 'paused', behind: false }, ...late.worst],
}

test('a job that is behind is catching up, a failing job comes first', () => {
  const shown = [well, late, stopped, { ...stopped, retrying: 1 }, { ...well, enabled: 0 }].map(overview => {
    const { word, tone } = deliveryOf(overview)
    return [word, tone, shortDeliveryOf(overview)]
  })
  assert.deepEqual(shown, [
    ['Delivering', 'good', '3 jobs'],
    ['1 of 3 catching up', 'warn', 'Catching up: job 3'],
    ['1 of 3 failing', 'bad', 'Failing: payments'],
    ['2 of 3 failing', 'bad', 'Failing: 2 jobs'],
    ['Paused', 'none', 'Paused'],
  ])
  assert.deepEqual(stopped.worst.map(troubleWord), ['stopped', 'catching up'])
})
