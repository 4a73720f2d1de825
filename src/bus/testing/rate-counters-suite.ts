import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RateCounters, RateLimit } from '../port.ts'

const limit: RateLimit = { periodMs: 1000, max: 2, mitigationMs: 0 }

interface Step {
  readonly atMs: number
  /** Default 1. */
  readonly amount?: number
  /** Default 0: not limited. */
  readonly untilMs?: number
}

const startMs = 1_800_000_000_000

/** Tests for every adapter. @param fresh returns unused counters */
export function rateCountersSuite(fresh: () => RateCounters): void {
  const rows: readonly {
    readonly name: string
    readonly limit: RateLimit
    readonly steps: readonly Step[]
  }[] = [
    {
      name: 'up to max go through, until the period ends',
      limit,
      steps: [
        { atMs: 0 },
        { atMs: 1 },
        { atMs: 2, untilMs: 1000 },
        { atMs: 999, untilMs: 1000 },
        { atMs: 1000 },
        { atMs: 1999 },
        { atMs: 1999, untilMs: 2000 },
      ],
    },
    {
      name: 'a period begins with the first request that is counted',
      limit,
      steps: [{ atMs: 700 }, { atMs: 1600 }, { atMs: 1699, untilMs: 1700 }, { atMs: 1700 }],
    },
    {
      name: 'looking counts nothing and begins nothing',
      limit,
      steps: [
        { atMs: 0, amount: 0 },
        { atMs: 500 },
        { atMs: 600, amount: 0 },
        { atMs: 700 },
        { atMs: 800, amount: 0 },
        { atMs: 900, untilMs: 1500 },
        { atMs: 1499, amount: 0, untilMs: 1500 },
        { atMs: 1500, amount: 0 },
        { atMs: 1500 },
      ],
    },
    {
      name: 'a mitigation longer than the period goes on, and then all begins again',
      limit: { ...limit, mitigationMs: 5000 },
      steps: [
        { atMs: 0 },
        { atMs: 0 },
        { atMs: 10, untilMs: 5010 },
        { atMs: 3000, untilMs: 5010 },
        { atMs: 5009, amount: 0, untilMs: 5010 },
        { atMs: 5010 },
        { atMs: 5011 },
        { atMs: 5012, untilMs: 10012 },
      ],
    },
    {
      name: 'a mitigation shorter than the period does not begin it again',
      limit: { ...limit, mitigationMs: 100 },
      steps: [
        { atMs: 0 },
        { atMs: 0 },
        { atMs: 10, untilMs: 110 },
        { atMs: 110, amount: 0 },
        { atMs: 110, untilMs: 210 },
        { atMs: 1000 },
      ],
    },
    {
      name: 'scores are summed exactly, however large',
      limit: { ...limit, max: 2 ** 32 + 1 },
      steps: [
        { atMs: 0, amount: 2 ** 31 },
        { atMs: 0, amount: 2 ** 31 },
        { atMs: 0 },
        { atMs: 0, untilMs: 1000 },
      ],
    },
    { name: 'a limit of none', limit: { ...limit, max: 0 }, steps: [{ atMs: 0, untilMs: 1000 }] },
    {
      name: 'a clock that is set back does not keep a key limited for long',
      limit,
      steps: [{ atMs: 5000, amount: 3, untilMs: 6000 }, { atMs: 3999 }, { atMs: 4998 }],
    },
    {
      name: 'a time that is a little older than the last does not begin again',
      limit,
      steps: [{ atMs: 5000 }, { atMs: 4999 }, { atMs: 4000, untilMs: 6000 }],
    },
    {
      name: 'nor does it end a mitigation',
      limit: { ...limit, mitigationMs: 5000 },
      steps: [
        { atMs: 5000, amount: 3, untilMs: 10_000 },
        { atMs: 4999, untilMs: 10_000 },
      ],
    },
  ]
  for (const row of rows)
    test(row.name, async () => {
      const counters = fresh()
      for (const [index, { atMs, amount = 1, untilMs = 0 }] of row.steps.entries()) {
        const state = await counters.count('key', amount, row.limit, startMs + atMs)
        const want = { limited: untilMs > 0, untilMs: untilMs > 0 ? startMs + untilMs : 0 }
        assert.deepEqual(state, want, `step ${index}`)
      }
    })

  test('keys are counted apart, with any bytes in them', async () => {
    const counters = fresh()
    const keys = ['', '\0', '\0\0', 'a', 'a\0', '\x80', '\xff', 'x'.repeat(5000), `${'x'.repeat(4999)}y`]
    for (const round of [1, 2])
      for (const key of keys)
        assert.equal(
          (await counters.count(key, 1, limit, startMs)).limited,
          false,
          JSON.stringify([round, key]),
        )
    for (const key of keys) assert.equal((await counters.count(key, 1, limit, startMs)).limited, true)
  })
}
