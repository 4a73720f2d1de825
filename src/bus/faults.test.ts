import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FaultReport, type RecordLogFault } from './faults.ts'
import { busLimits } from './limits.ts'

test('a repeated fault is reported at intervals, and every dropped record is counted', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  t.mock.method(performance, 'now', () => nowMs)
  const told: RecordLogFault[] = []
  const faults = new FaultReport(fault => told.push(fault))
  const spanMs = 2.5 * busLimits.faultsToldMs
  for (; nowMs < spanMs; nowMs += busLimits.retryMs) {
    faults.writeFailed(new Error('full'))
    faults.retentionFailed(new Error('busy'))
    faults.add(2, 'full')
    t.mock.timers.tick(busLimits.retryMs)
  }
  faults.close()
  const of = (code: string) => told.filter(fault => fault.code === code)
  assert.equal(of('write-failed').length, 3)
  assert.equal(of('retention-failed').length, 3)
  assert.equal(of('dropped').length, 4)
  assert.equal(
    told.reduce((sum, { dropped }) => sum + dropped, 0),
    (2 * spanMs) / busLimits.retryMs,
  )
})
