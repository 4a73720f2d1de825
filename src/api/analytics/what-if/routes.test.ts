import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Analytics, CellQuery, MatrixQuery } from '../../../analytics/index.ts'
import { openTestApi, type TestApi } from '../../testing/test-api.ts'

let api: TestApi
const matrixQueries: MatrixQuery[] = []
const cellQueries: CellQuery[] = []
const startMs = Date.UTC(2026, 0, 2, 3)
/** A rule of the managed ruleset. */
let sqli = ''

const analytics: Partial<Analytics> = {
  whatIf: async (_zone, query) => {
    matrixQueries.push(query)
    return {
      range: query.range,
      samples: 300,
      requests: 40_000,
      evaluated: 7,
      cpuMs: 10.5,
      leftOut: 2,
      incomplete: 1,
      heldUp: 4,
      thresholds: query.thresholds,
      levels: [1, 2, 3, 4].map(level => query.thresholds.map(() => level)),
    }
  },
  whatIfCell: async (_zone, query) => {
    cellQueries.push(query)
    return {
      range: query.range,
      samples: 300,
      acted: 3,
      actedAnew: 2,
      letThrough: 1,
      paths: [{ value: '/a', samples: 3 }],
      clients: [{ value: '192.0.2.1', samples: 3 }],
      rules: [{ value: `${sqli} 942100`, samples: 3 }],
      examples: [
        {
          time: startMs,
          ray: '9f2d61e0c3a4b587',
          client: '192.0.2.1',
          country: 'nz',
          host: 'shop.example',
          method: 'GET',
          path: '/a',
          action: 'block',
          scores: [5, 25, 25, 30],
          stops: 3,
          rules: [
            [sqli, '942100', 1, 5],
            ['e'.repeat(32), '942200', 3, 5],
          ],
        },
      ],
    }
  },
}

before(async () => {
  api = await openTestApi({ analytics: analytics as Analytics })
  sqli = (await api.store.crs.managedRulesets(1))[0]!.rules[0]!.id
})
after(() => api.close())

const path = (rest = '') => `/zones/${api.zoneId}/security/what_if${rest}`
const range = 'since=2026-01-02T03:00:00Z&until=2026-01-02T05:00:00Z'

test('the matrix has its totals, shares and cost', async () => {
  const { status, body } = await api.send('GET', path(`?${range}&thresholds=25,60,25`))
  assert.equal(status, 200)
  assert.deepEqual(matrixQueries.at(-1), {
    range: { sinceMs: startMs, untilMs: startMs + 7_200_000 },
    thresholds: [60, 25],
  })
  const cells = (n: number) => [60, 25].map(threshold => ({ threshold, acted_on: n, share: n / 300 }))
  const { levels, ...totals } = body.result
  assert.deepEqual(totals, {
    since: '2026-01-02T03:00:00.000000Z',
    until: '2026-01-02T05:00:00.000000Z',
    sample_rate: 0.01,
    samples: 300,
    requests: 40_000,
    sample_share: 0.0075,
    held_up: 4,
    left_out: 2,
    incomplete: 1,
    cost: { evaluated: 7, cpu_ms: 10.5, cpu_ms_per_sample: 1.5 },
    thresholds: [60, 25],
  })
  for (const [at, level] of levels.entries()) {
    assert.equal(level.paranoia_level, at + 1)
    for (const [index, cell] of level.cells.entries()) {
      const want = cells(at + 1)[index]!
      assert.deepEqual([cell.threshold, cell.acted_on], [want.threshold, want.acted_on])
      assert.ok(Math.abs(cell.share - want.share) < 1e-6)
    }
  }
})

test('thresholds are 60, 40 and 25 by default', async () => {
  await api.send('GET', path())
  assert.deepEqual(matrixQueries.at(-1)?.thresholds, [60, 40, 25])
  const ten = '1,2,3,4,5,6,7,8,9,2147483647'
  assert.equal((await api.send('GET', path(`?thresholds=${ten}`))).status, 200)
  for (const wrong of ['0', '-1', '1.5', 'a', '1,', '', '2147483648', `${ten},10`]) {
    const { status, body } = await api.send('GET', path(`?thresholds=${wrong}`))
    assert.equal(status, 400, wrong)
    assert.equal(body.errors[0].code, 10423, wrong)
  }
})

test('a cell has the descriptions of its rules', async () => {
  const { status, body } = await api.send('GET', path(`/cell?${range}&paranoia_level=2&threshold=25`))
  assert.equal(status, 200)
  assert.deepEqual(cellQueries.at(-1), {
    range: { sinceMs: startMs, untilMs: startMs + 7_200_000 },
    level: 2,
    threshold: 25,
    limit: 10,
    examples: 20,
  })
  assert.deepEqual(body.result, {
    since: '2026-01-02T03:00:00.000000Z',
    until: '2026-01-02T05:00:00.000000Z',
    paranoia_level: 2,
    threshold: 25,
    samples: 300,
    acted_on: 3,
    share: 0.01,
    acted_on_anew: 2,
    let_through: 1,
    paths: [{ value: '/a', samples: 3 }],
    clients: [{ value: '192.0.2.1', samples: 3 }],
    rules: [{ id: sqli, ref: '942100', description: '942100: SQL injection', samples: 3 }],
    examples: [
      {
        datetime: '2026-01-02T03:00:00.000000Z',
        ray_id: '9f2d61e0c3a4b587',
        client_ip: '192.0.2.1',
        client_country: 'nz',
        host: 'shop.example',
        method: 'GET',
        path: '/a',
        action: 'block',
        score: 25,
        scores: [5, 25, 25, 30],
        stopped_by_rule: false,
        rules: [
          {
            id: sqli,
            ref: '942100',
            description: '942100: SQL injection',
            paranoia_level: 1,
            score: 5,
            counts: true,
          },
          { id: 'e'.repeat(32), ref: '942200', description: '', paranoia_level: 3, score: 5, counts: false },
        ],
      },
    ],
  })
  const higher = await api.send('GET', path('/cell?paranoia_level=3&threshold=25'))
  assert.equal(higher.body.result.examples[0].stopped_by_rule, true)
})

test('invalid cells are refused', async () => {
  for (const wrong of [
    'threshold=25',
    'paranoia_level=2',
    'paranoia_level=0&threshold=25',
    'paranoia_level=5&threshold=25',
    'paranoia_level=2&threshold=0',
    'paranoia_level=2&threshold=25&limit=0',
    'paranoia_level=2&threshold=25&limit=101',
    'paranoia_level=2&threshold=25&other=1',
    'paranoia_level=2&threshold=25&since=2026-01-02T03:00:00Z&until=2026-01-02T03:00:00Z',
  ])
    assert.equal((await api.send('GET', path(`/cell?${wrong}`))).status, 400, wrong)
})

test('the share of sampled requests is read, set, announced and audited', async () => {
  assert.deepEqual((await api.send('GET', path('/sampling'))).body.result, { sample_rate: 0.01 })
  const head = await api.store.changes.head()
  for (const sample_rate of [0, 0.25, 1]) {
    const { status, body } = await api.send('PUT', path('/sampling'), { sample_rate })
    assert.equal(status, 200)
    assert.deepEqual(body.result, { sample_rate })
    assert.deepEqual((await api.send('GET', path('/sampling'))).body.result, { sample_rate })
  }
  assert.equal((await api.send('GET', path())).body.result.sample_rate, 1)
  assert.equal((await api.store.changes.after(head)).length, 3)
  const [entry] = await api.store.audit.list(api.accountId, { offset: 0, limit: 1 })
  assert.deepEqual(entry?.resource, { kind: 'what_if_sampling', id: api.zoneId })
  assert.deepEqual([entry?.before, entry?.after], [{ sample_rate: 0.25 }, { sample_rate: 1 }])
})

test('invalid shares are refused and nothing is stored', async () => {
  const rate = (await api.send('GET', path('/sampling'))).body.result.sample_rate
  for (const [body, code, pointer] of [
    [{ sample_rate: -0.01 }, 10423, '/sample_rate'],
    [{ sample_rate: 1.01 }, 10423, '/sample_rate'],
    [{ sample_rate: '0.5' }, 10422, '/sample_rate'],
    [{}, 10421, '/sample_rate'],
    [{ sample_rate: 0.5, other: 1 }, 10420, '/other'],
  ] as const) {
    const answer = await api.send('PUT', path('/sampling'), body)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.errors[0].code, code)
    assert.equal(answer.body.errors[0].source.pointer, pointer)
  }
  assert.equal((await api.send('GET', path('/sampling'))).body.result.sample_rate, rate)
})
