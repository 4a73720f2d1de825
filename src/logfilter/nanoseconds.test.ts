import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTime, nanosecondsOf, rfc3339Of, wantedTime } from './nanoseconds.ts'

test('times are nanoseconds or RFC 3339, to the last digit', () => {
  const rows: [unknown, bigint | undefined][] = [
    [0, 0n],
    ['0', 0n],
    [1777593600000000001n, 1777593600000000001n],
    ['1777593600000000001', 1777593600000000001n],
    [2n ** 63n - 1n, 2n ** 63n - 1n],
    [2n ** 63n, undefined],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775808', undefined],
    ['18446744073709551615', undefined],
    [-1, undefined],
    ['-1', undefined],
    [1.5, undefined],
    ['1e3', undefined],
    ['', undefined],
    [true, undefined],
    ['1970-01-01T00:00:00Z', 0n],
    ['1969-12-31T23:59:59Z', undefined],
    ['1970-01-01T00:00:00.000000001Z', 1n],
    ['1970-01-01T00:00:00.1z', 100_000_000n],
    ['1970-01-01t01:00:01+01:00', 1_000_000_000n],
    ['1970-01-01T00:00:00-00:30', 1_800_000_000_000n],
    ['1970-01-01T00:00:00.1234567890Z', undefined],
    ['1970-01-01 00:00:00Z', undefined],
    ['1970-01-01T00:00:00', undefined],
    ['2026-02-29T00:00:00Z', undefined],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000_000_000n],
    ['2026-13-01T00:00:00Z', undefined],
    ['2026-00-01T00:00:00Z', undefined],
    ['2026-01-00T00:00:00Z', undefined],
    ['2026-01-01T24:00:00Z', undefined],
    ['2026-01-01T00:60:00Z', undefined],
    ['2016-12-31T23:59:60Z', undefined],
    ['1970-01-01T23:59:59Z', 86_399_000_000_000n],
    ['1970-01-02T23:59:00+23:59', 86_400_000_000_000n],
    ['2026-01-01T00:00:00+24:00', undefined],
    ['2026-01-01T00:00:00+00:60', undefined],
    ['2262-04-11T23:47:16.854775807Z', 2n ** 63n - 1n],
    ['2262-04-11T23:47:16.854775808Z', undefined],
    ['0000-01-01T00:00:00Z', undefined],
  ]
  for (const [value, want] of rows) assert.equal(nanosecondsOf(value), want, String(value))
})

test('a time is shown with its decimals', () => {
  assert.equal(rfc3339Of(0n), '1970-01-01T00:00:00Z')
  assert.equal(rfc3339Of(1_777_593_600_120_000_000n), '2026-05-01T00:00:00.12Z')
  assert.equal(rfc3339Of(1_777_593_600_000_000_001n), '2026-05-01T00:00:00.000000001Z')
})

test('recorded times are compared digit by digit', () => {
  const rows: [unknown, bigint, number][] = [
    ['1777593600000000001', 1777593600000000001n, 0],
    ['1777593600000000000', 1777593600000000001n, -1],
    ['1777593600000000002', 1777593600000000001n, 1],
    ['999', 1000n, -1],
    ['1000', 999n, 1],
    ['0', 0n, 0],
    ['000', 0n, 0],
    ['007', 7n, 0],
    ['', 0n, 0],
    ['', 1n, -1],
    [undefined, 0n, 0],
    [undefined, 1n, -1],
    [null, 1n, -1],
    ['soon', 0n, 0],
    ['-5', 0n, 0],
    ['9'.repeat(21), 1n, -1],
    ['99999999999999999999', 2n ** 63n - 1n, 1],
    [1777593600000000001n, 1777593600000000001n, 0],
    [1777593600000000000n, 1777593600000000001n, -1],
    [1777593600000000002n, 1777593600000000001n, 1],
  ]
  for (const [recorded, wanted, want] of rows)
    assert.equal(
      Math.sign(compareTime(recorded, wantedTime(wanted))) + 0,
      want,
      `${String(recorded)} ${wanted}`,
    )
})
