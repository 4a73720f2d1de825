import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crsLimits } from '../../crs/limits.ts'
import { openTestApi } from '../testing/test-api.ts'

test('upstream is asked once in some hours, and sooner after a failure', async () => {
  let nowMs = Date.parse('2026-02-03T00:00:00Z')
  let asked = 0
  let answer: () => Promise<string> = () => Promise.reject(new Error('no network here'))
  const api = await openTestApi({
    clock: { nowMs: () => nowMs } as never,
    newestCrsRelease: () => {
      asked++
      return answer()
    },
  })
  const ask = async () =>
    (await api.send('GET', `/accounts/${api.accountId}/waf/crs_releases/upstream`)).body.result
  try {
    const failed = { crs_version: null, checked_on: '2026-02-03T00:00:00Z', error: 'no network here' }
    assert.deepEqual(await ask(), { ...failed, checked_on: (await ask()).checked_on })
    assert.equal(asked, 1)
    answer = async () => '4.29.0'
    nowMs += crsLimits.upstreamRetryMs - 1
    assert.equal((await ask()).crs_version, null)
    nowMs += 1
    const [first, second] = await Promise.all([ask(), ask()])
    assert.equal(first.crs_version, '4.29.0')
    assert.deepEqual(second, first)
    assert.equal(asked, 2)
    nowMs += crsLimits.upstreamKeptMs - 1
    await ask()
    assert.equal(asked, 2)
    nowMs += 1
    await ask()
    assert.equal(asked, 3)
  } finally {
    await api.close()
  }
})
