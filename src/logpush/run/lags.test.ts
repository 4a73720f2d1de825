import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeliveryLag } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'
import { Lags } from './lags.ts'

const hours = ['2026-08-12T21:00:00Z', '2026-08-12T22:00:00Z'] as const

test('the longest lag of each hour is stored: at once, then a minute later, and at the end', async () => {
  const clock = { ms: Date.parse(hours[0]), nowMs: () => clock.ms }
  const written: DeliveryLag[][] = []
  let away = false
  const raiseLags = async (lags: readonly DeliveryLag[]) => {
    if (away) throw new Error('the database is away')
    written.push([...lags])
  }
  const lags = new Lags({ delivery: { raiseLags } } as unknown as Store, clock)
  const see = (jobId: number, lagSeconds: number) => lags.see([{ jobId, lagSeconds, paused: false }])
  const lag = (jobId: number, hour: string, secondsMax: number) => ({ jobId, hour, secondsMax })

  see(1, 0)
  see(2, 7.9)
  await lags.flush()
  assert.deepEqual(written.splice(0), [[lag(1, hours[0], 0), lag(2, hours[0], 7)]])

  see(1, 30)
  see(1, 20)
  see(2, 7)
  clock.ms += 59_999
  await lags.flush()
  assert.deepEqual(written, [])
  clock.ms += 1
  away = true
  await assert.rejects(lags.flush(), /away/)
  see(1, 31)
  away = false
  await lags.flush()
  assert.deepEqual(written.splice(0), [[lag(1, hours[0], 31)]])
  clock.ms += 60_000
  await lags.flush()
  assert.deepEqual(written, [], 'nothing has grown')

  see(1, 40)
  clock.ms = Date.parse(hours[1])
  see(1, 0)
  await lags.flush(true)
  assert.deepEqual(written, [[lag(1, hours[0], 40), lag(1, hours[1], 0)]])
})
