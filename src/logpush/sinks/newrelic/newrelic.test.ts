import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { startNewRelic } from '../../../../test/support/receivers/intakes.ts'
import { aBatch, deliverTo, someLines } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'

const key = 'eu01xx-license-key'

test('lines are sent in the job’s format, within 5 MB and 1 MB compressed', async t => {
  const newRelic = await startNewRelic(t, key)
  const destination = `newrelic://${newRelic.host}/log/v1?Api-Key=${key}&format=cloudflare`
  const noise = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({ n, noise: randomBytes(50_000).toString('base64') }),
  )
  const rows: [lines: string[], requestsMin: number][] = [
    [someLines(10), 1],
    [someLines(12, 1_000_000), 3],
    [noise, 3],
  ]
  for (const [lines, requestsMin] of rows) {
    newRelic.taken.length = 0
    newRelic.requests.length = 0
    await deliverTo(destination, aBatch(lines))
    assert.ok(newRelic.requests.length >= requestsMin)
    assert.deepEqual(
      newRelic.taken,
      lines.map(line => JSON.parse(line)),
    )
  }
})

test('a wrong key is reported, and not shown', async t => {
  const newRelic = await startNewRelic(t, key)
  const { message } = await checkDestination(
    `newrelic://${newRelic.host}/log/v1?Api-Key=another-key&format=cloudflare`,
    onThisMachine,
  )
  assert.match(
    message,
    /answered 403, the Api-Key is wrong, or belongs to the other region.*failed step: authenticate/,
  )
  assert.doesNotMatch(message, /another-key/)
})
