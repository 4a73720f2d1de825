import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type WhatIfSample, whatIfSamplesDataset } from '../../model/what-if-sample.ts'
import { type Answers, openAnswers } from '../answers.ts'
import { openDatabase } from '../database.ts'
import { BatchWriter } from '../ingest/batch-writer.ts'
import { keptSampleLimits } from '../limits.ts'
import { minuteMs } from '../schema.ts'
import { always } from '../testing/fill.ts'
import { SampleKeeper, samplesIn } from './keeper.ts'
import { sampleSeen } from './seen.ts'

const account = 'a'.repeat(32)
const zone = 'b'.repeat(32)
const other = 'c'.repeat(32)
const startMs = Date.UTC(2026, 0, 2, 3)
const directory = mkdtempSync(join(tmpdir(), 'sluice-what-if-'))
const kept = { ageMs: 86_400_000, bytes: 1e9 }
let rays = 0

function sample(changes: Partial<WhatIfSample> = {}): WhatIfSample {
  return {
    time: startMs,
    ray: (0xf000_0000_0000_0000n + BigInt(++rays)).toString(16),
    client: '192.0.2.1',
    country: 'nz',
    host: 'shop.example',
    method: 'GET',
    path: '/',
    rate: 0.01,
    leftOut: 0,
    cpuMicros: 0,
    action: '',
    scores: [0, 0, 0, 0],
    stops: 0,
    incomplete: false,
    rules: [],
    ...changes,
  }
}

function recordOf(fields: object, ofZone = zone): string {
  return JSON.stringify({ zone: ofZone, account, dataset: whatIfSamplesDataset, fields })
}

function requestAt(ms: number): string {
  const fields = { EdgeStartTimestamp: `${ms}000000`, EdgeResponseStatus: 200 }
  return JSON.stringify({ zone, account, dataset: 'http_requests', fields })
}

const rules: WhatIfSample['rules'] = [
  ['1'.repeat(32), '942100', 1, 5],
  ['2'.repeat(32), '942200', 3, 40],
  ['3'.repeat(32), '920100', 1, 0],
]

const samples = [
  sample({ path: '/low', scores: [24, 24, 24, 24], cpuMicros: 1500, leftOut: 3 }),
  sample({ path: '/high', scores: [25, 25, 60, 60], rules, action: 'block', time: startMs + 1000 }),
  sample({ path: '/high', scores: [5, 40, 40, 59], client: '192.0.2.2', time: startMs + minuteMs }),
  sample({ path: '/stop', stops: 2, incomplete: true, cpuMicros: 500 }),
  sample({ path: '/held', action: 'managedchallenge' }),
  sample({}),
]

let answers: Answers & { close(): void }
before(() => {
  const path = join(directory, 'a.db')
  const database = openDatabase(path)
  const records = [
    ...samples.map(one => recordOf(one)),
    recordOf(sample({ scores: [99, 99, 99, 99] }), other),
    recordOf({ time: 'no sample' }),
    ...Array.from({ length: 600 }, () => requestAt(startMs)),
  ]
  const batch = { partition: 'p', after: 0, last: records.length, missing: 0, records }
  assert.equal(new BatchWriter(database, kept).write(batch, always), true)
  database.close()
  answers = openAnswers(path)
})
after(() => {
  answers.close()
  rmSync(directory, { recursive: true })
})

const range = { sinceMs: startMs - 3_600_000, untilMs: startMs + 3_600_000 }

test('the matrix counts samples whose score is at or above the threshold, and samples that a rule stops', () => {
  const {
    thresholds,
    levels,
    range: answered,
    ...totals
  } = answers.whatIf(zone, {
    range,
    thresholds: [60, 59, 40, 25, 24, 1],
  })
  assert.deepEqual(thresholds, [60, 59, 40, 25, 24, 1])
  assert.deepEqual(levels, [
    [0, 0, 0, 1, 2, 3],
    [1, 1, 2, 3, 4, 4],
    [2, 2, 3, 3, 4, 4],
    [2, 3, 3, 3, 4, 4],
  ])
  assert.deepEqual(answered, { sinceMs: startMs, untilMs: range.untilMs })
  assert.deepEqual(totals, {
    samples: 6,
    requests: 600,
    evaluated: 2,
    cpuMs: 2,
    leftOut: 3,
    incomplete: 1,
    heldUp: 2,
  })
})

test('a cell lists the requests that it would mitigate, and its differences from the zone’s actions', () => {
  const cell = answers.whatIfCell(zone, { range, level: 3, threshold: 40, limit: 10, examples: 10 })
  const { examples, ...rest } = cell
  assert.deepEqual(rest, {
    range: { sinceMs: startMs, untilMs: range.untilMs },
    samples: 6,
    acted: 3,
    actedAnew: 2,
    letThrough: 1,
    paths: [
      { value: '/high', samples: 2 },
      { value: '/stop', samples: 1 },
    ],
    clients: [
      { value: '192.0.2.1', samples: 2 },
      { value: '192.0.2.2', samples: 1 },
    ],
    rules: [
      { value: `${'1'.repeat(32)} 942100`, samples: 1 },
      { value: `${'2'.repeat(32)} 942200`, samples: 1 },
    ],
  })
  assert.deepEqual(
    examples.map(({ path }) => path),
    ['/high', '/high', '/stop'],
  )
  const { rate: _rate, leftOut: _left, cpuMicros: _cpu, incomplete: _incomplete, ...want } = samples[1]!
  assert.deepEqual(examples[1], want)
})

test('rules above the level do not count, and lists have the requested length', () => {
  const cell = answers.whatIfCell(zone, { range, level: 2, threshold: 1, limit: 1, examples: 1 })
  assert.equal(cell.acted, 4)
  assert.deepEqual(
    [cell.paths, cell.clients.length, cell.rules, cell.examples.length],
    [[{ value: '/high', samples: 2 }], 1, [{ value: `${'1'.repeat(32)} 942100`, samples: 1 }], 1],
  )
})

test('ranges are of whole minutes, and a zone without samples has none', () => {
  const ask = (sinceMs: number, untilMs: number, id = zone) =>
    answers.whatIf(id, { range: { sinceMs, untilMs }, thresholds: [1] })
  assert.equal(ask(startMs + 30_000, startMs + 59_000).samples, 5)
  assert.equal(ask(startMs + minuteMs, startMs + minuteMs + 1).samples, 1)
  assert.equal(ask(startMs - minuteMs, startMs).samples, 0)
  assert.equal(ask(range.sinceMs, range.untilMs, other).samples, 1)
  assert.deepEqual(ask(range.sinceMs, range.untilMs, 'd'.repeat(32)).levels, [[0], [0], [0], [0]])
})

test('an invalid sample is skipped', () => {
  const good = sample({ rules })
  const rows: readonly object[] = [
    { ...good, time: -1 },
    { ...good, time: '1' },
    { ...good, time: 1e13 },
    { ...good, scores: [1, 2, 3, 1e12 + 1] },
    { ...good, ray: 'xyz' },
    { ...good, scores: [1, 2, 3] },
    { ...good, scores: [1, 2, 3, -4] },
    { ...good, rules: [['a', 'b', 1]] },
    { ...good, rules: 'none' },
    {},
  ]
  assert.deepEqual(sampleSeen(zone, { ...good })?.sample, good)
  for (const row of rows) assert.equal(sampleSeen(zone, { ...row }), undefined, JSON.stringify(row))
  assert.equal(sampleSeen(zone, { ...good, cpuMicros: Number.MAX_SAFE_INTEGER })?.sample.cpuMicros, 0)
  const bare = { time: 1e11, ray: good.ray, scores: [0, 0, 0, 0], rules: [] }
  assert.deepEqual(sampleSeen(zone, bare)?.sample, {
    ...sample(),
    ...bare,
    client: '',
    country: '',
    host: '',
    method: '',
    path: '',
    rate: 0,
  })
})

test('samples take no more than their share of the space', () => {
  const { keptPerZoneMax: perZone, keptMax: all } = keptSampleLimits
  assert.deepEqual(samplesIn(2 ** 40), { perZone, all })
  assert.deepEqual(samplesIn(2 ** 20), { perZone: 512, all: 512 })
  assert.deepEqual(samplesIn(2 ** 28), { perZone, all: 2 ** 17 })
})

test('client-chosen texts have limited space, and a merged one is in no list', () => {
  const path = join(directory, 'texts.db')
  const database = openDatabase(path)
  const texts = () => database.prepare('select count(*) as n from texts').get()!['n'] as number
  const records = ['/first', '/second', '/third'].map(one =>
    recordOf(sample({ path: `${one}${'x'.repeat(500)}`, scores: [5, 5, 5, 5] })),
  )
  const writer = new BatchWriter(database, { ageMs: 86_400_000, bytes: 4000 })
  writer.write({ partition: 'p', after: 0, last: 3, missing: 0, records }, always)
  // The zone, the country, the action, the client, the host, the method and the first of the paths.
  assert.equal(texts(), 7)
  database.close()
  const full = openAnswers(path)
  const cell = full.whatIfCell(zone, { range, level: 1, threshold: 5, limit: 10, examples: 10 })
  full.close()
  assert.equal(cell.acted, 3)
  assert.deepEqual(
    cell.paths.map(({ value }) => value.slice(0, 6)),
    ['/first'],
  )
})

test('old samples are deleted with their counts, and of too many the oldest', () => {
  const path = join(directory, 'kept.db')
  const database = openDatabase(path)
  const records = Array.from({ length: 10 }, (_, n) =>
    recordOf(sample({ time: startMs + n * minuteMs, scores: [5, 5, 5, 5] })),
  )
  new BatchWriter(database, kept).write({ partition: 'p', after: 0, last: 10, missing: 0, records }, always)
  const minutesOf = (table: string, column: string) =>
    database.prepare(`select count(distinct ${column}) as n from ${table}`).get()!['n']
  const counts = () => [
    minutesOf('what_if_minutes', 'minute'),
    minutesOf('what_if_samples', `time / ${minuteMs}`),
  ]
  const ageMs = 100 * minuteMs
  const keeper = new SampleKeeper(database, ageMs, samplesIn(kept.bytes))
  keeper.run(startMs + ageMs + minuteMs)
  assert.deepEqual(counts(), [9, 9])
  // Not looked for again so soon.
  keeper.run(startMs + ageMs + minuteMs + keptSampleLimits.keepMs - 1)
  assert.deepEqual(counts(), [9, 9])
  keeper.run(startMs + ageMs + 3 * minuteMs + keptSampleLimits.keepMs)
  assert.deepEqual(counts(), [6, 6])
  new SampleKeeper(database, ageMs, { perZone: 4, all: 100 }).run(startMs)
  assert.deepEqual(counts(), [4, 4])
  new SampleKeeper(database, ageMs, { perZone: 100, all: 2 }).run(startMs)
  assert.deepEqual(counts(), [2, 2])
  database.close()
})
