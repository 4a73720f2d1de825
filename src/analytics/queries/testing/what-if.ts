import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type WhatIfSample, whatIfSamplesDataset } from '../../../model/what-if-sample.ts'
import type { RecordStore } from '../../records/port.ts'
import { batchOf } from '../../records/testing/suite.ts'
import { accountA, rayOf, zoneA } from '../../testing/fill.ts'
import type { Answers } from '../../types.ts'
import { day, minuteMs, noonMs } from './records.ts'

/** A record of `what_if_samples` of one client in the last minute. */
function sampleRecord(sample: Partial<WhatIfSample>): string {
  const fields: WhatIfSample = {
    time: noonMs - 1,
    ray: rayOf(1),
    client: '198.51.100.7',
    country: 'nz',
    host: 'shop.example',
    method: 'GET',
    path: '/',
    rate: 1,
    leftOut: 0,
    cpuMicros: 100,
    action: '',
    scores: [0, 0, 0, 0],
    stops: 0,
    incomplete: false,
    rules: [],
    ...sample,
  }
  return JSON.stringify({ zone: zoneA, account: accountA, dataset: whatIfSamplesDataset, fields })
}

/** The matrix of scores and thresholds, and one of its cells. */
export function testWhatIf(store: () => RecordStore, answers: () => Answers): void {
  test('samples count for every level and threshold that would have acted', async () => {
    const samples = [
      sampleRecord({
        scores: [0, 5, 5, 10],
        rules: [
          ['z', '942100', 2, 5],
          ['b', '941100', 4, 5],
        ],
      }),
      sampleRecord({ scores: [5, 5, 5, 5], rules: [['a', '942100', 1, 5]], action: 'block', cpuMicros: 0 }),
      sampleRecord({ stops: 3, incomplete: true, leftOut: 4, path: '/b' }),
      sampleRecord({ time: noonMs + 1 }),
    ]
    await store().append(batchOf(samples, 0, 'samples'))
    const {
      samples: n,
      evaluated,
      cpuMs,
      leftOut,
      incomplete,
      heldUp,
      range,
      levels,
    } = await answers().whatIf(zoneA, {
      range: day,
      thresholds: [5, 10],
    })
    assert.deepEqual(range, { sinceMs: noonMs - minuteMs, untilMs: noonMs })
    assert.deepEqual([n, evaluated, cpuMs, leftOut, incomplete, heldUp], [3, 2, 0.2, 4, 1, 1])
    assert.deepEqual(levels, [
      [1, 0],
      [2, 0],
      [3, 1],
      [3, 2],
    ])
    const cell = await answers().whatIfCell(zoneA, {
      range: day,
      level: 4,
      threshold: 10,
      limit: 5,
      examples: 1,
    })
    assert.deepEqual([cell.acted, cell.actedAnew, cell.letThrough], [2, 2, 1])
    assert.deepEqual(cell.paths, [
      { value: '/', samples: 1 },
      { value: '/b', samples: 1 },
    ])
    assert.deepEqual(cell.clients, [{ value: '198.51.100.7', samples: 2 }])
    // Equal counts: the lower level first.
    assert.deepEqual(cell.rules, [
      { value: 'z 942100', samples: 1 },
      { value: 'b 941100', samples: 1 },
    ])
    assert.deepEqual(
      [cell.examples[0]?.stops, cell.examples[0]?.path, cell.examples[0]?.rules],
      [3, '/b', []],
    )
  })
}
