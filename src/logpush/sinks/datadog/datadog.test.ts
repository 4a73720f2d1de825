import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDatadog } from '../../../../test/support/receivers/intakes.ts'
import { aBatch, deliverTo, someLines } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import { datadogSink } from './target.ts'

const key = '0123456789abcdef0123456789abcdef'

test('NDJSON is sent as arrays of at most 1,000 entries and 5 MB', async t => {
  const datadog = await startDatadog(t, key)
  const destination = `datadog://${datadog.host}/api/v2/logs?header_DD-API-KEY=${key}&ddsource=cloudflare&service=shop&ddtags=env:prod`
  const rows: [count: number, bytes: number, requests: number][] = [
    [1, 20, 1],
    [1000, 20, 1],
    [1001, 20, 2],
    [12, 999_990, 3],
  ]
  for (const [count, bytes, requests] of rows) {
    datadog.taken.length = 0
    datadog.requests.length = 0
    const lines = someLines(count, bytes)
    await deliverTo(destination, aBatch(lines))
    assert.equal(datadog.requests.length, requests, String(count))
    assert.deepEqual(
      datadog.taken,
      lines.map(line => JSON.parse(line)),
    )
  }
  assert.equal(datadog.requests[0]!.url.search, '?ddsource=cloudflare&service=shop&ddtags=env:prod')
})

test('an array in the job’s format is sent verbatim', async t => {
  const datadog = await startDatadog(t, key)
  const text = Buffer.from('[{"a":1},{"a":2}]')
  const frame = { prefix: '[', delimiter: ',', suffix: ']', sizes: [7, 7] }
  await deliverTo(
    `datadog://${datadog.host}/api/v2/logs?header_DD-API-KEY=${key}`,
    aBatch([], { frame, text: async () => text }),
  )
  assert.deepEqual(datadog.taken, [{ a: 1 }, { a: 2 }])
})

test('the older path ends with the key', async t => {
  const datadog = await startDatadog(t, key)
  assert.equal(
    await deliverTo(`datadog://${datadog.host}/v1/input/${key}?service=shop`, aBatch(['{"a":1}'])),
    202,
  )
  assert.equal(
    await deliverTo(`datadog://${datadog.host}/v1/input?header_DD-API-KEY=${key}`, aBatch(['{"a":2}'])),
    202,
  )
  assert.deepEqual(datadog.taken, [{ a: 1 }, { a: 2 }])
})

test('a wrong key is reported, and not shown', async t => {
  const datadog = await startDatadog(t, key)
  const { message } = await checkDestination(
    `datadog://${datadog.host}/api/v2/logs?header_DD-API-KEY=some-other-key`,
    onThisMachine,
  )
  assert.match(
    message,
    /answered 403, the API key \(header_DD-API-KEY\) is wrong \(failed step: authenticate/,
  )
  assert.doesNotMatch(message, /some-other-key/)
  const parsed = datadogSink.parse('datadog://h/api/v2/logs')
  assert.ok(!parsed.ok && /needs header_DD-API-KEY/.test(parsed.problem.message))
})
