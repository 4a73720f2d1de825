import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSplunk } from '../../../../test/support/receivers/engines.ts'
import { postProblem, startReceiver } from '../../../../test/support/receivers/receiver.ts'
import { aBatch, deliverTo, someLines } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import { sentinelOneSink, splunkSink } from './target.ts'

const token = '2c1d3e5f-0000-4000-8000-1234567890ab'
const channel = 'channel=5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab'
const authorization = `header_Authorization=Splunk%20${token}`

test('parsing a splunk:// destination', () => {
  const raw = '/services/collector/raw'
  assert.ok(
    splunkSink.parse(`splunk://h:8088${raw}?${channel}&insecure-skip-verify=false&${authorization}`).ok,
  )
  assert.ok(sentinelOneSink.parse(`sentinelone://h${raw}?sourcetype=json&header_Authorization=Bearer%20x`).ok)
  const rows: [text: string, why: RegExp][] = [
    [`splunk://h${raw}?${authorization}`, /needs channel=GUID/],
    [`splunk://h${raw}?channel=1&${authorization}`, /needs channel=GUID/],
    [`splunk://h${raw}?${channel}`, /needs header_Authorization/],
    [`splunk://h/other?${channel}&${authorization}`, /its path must be/],
    [`splunk://h${raw}?${channel}&${authorization}&insecure-skip-verify=yes`, /true or false/],
  ]
  for (const [text, why] of rows) {
    const refused = splunkSink.parse(text)
    assert.ok(!refused.ok, text)
    assert.match(refused.problem.message, why)
  }
})

test('lines are sent raw, or each as an event, in requests of less than 1 MB', async t => {
  const splunk = await startSplunk(t, token)
  const lines = someLines(25, 100_000)
  for (const endpoint of ['raw', 'event']) {
    splunk.events.length = 0
    splunk.requests.length = 0
    await deliverTo(
      `splunk://${splunk.host}/services/collector/${endpoint}?${channel}&insecure-skip-verify=false&sourcetype=cloudflare:json&${authorization}`,
      aBatch(lines),
    )
    assert.deepEqual(
      splunk.events,
      lines.map(line => JSON.parse(line)),
    )
    assert.equal(splunk.requests.length, 4)
    assert.equal(splunk.requests[0]!.url.search, `?${channel}&sourcetype=cloudflare:json`)
  }
})

test('events carry their time, and the source and sourcetype of the address', async t => {
  const splunk = await startSplunk(t, token)
  await deliverTo(
    `splunk://${splunk.host}/services/collector/event?${channel}&sourcetype=cloudflare:json&source=edge%22&${authorization}`,
    aBatch(['{"n":0}', '{"n":1}']),
  )
  const events = splunk.requests[0]!.text.replaceAll('}{', '}\n{').split('\n')
  assert.deepEqual(
    events.map(event => JSON.parse(event)),
    [0, 1].map(n => ({
      time: 1_786_573_799.98 + n / 1000,
      sourcetype: 'cloudflare:json',
      source: 'edge"',
      event: { n },
    })),
  )
})

test('SentinelOne accepts the same without a channel', async t => {
  const collector = await startReceiver(
    t,
    request => postProblem(request) ?? { status: request.headers.authorization === 'Bearer key' ? 200 : 401 },
  )
  const destination = `sentinelone://${collector.host}/services/collector/raw?sourcetype=marketplace-cloudflare&header_Authorization=Bearer%20key`
  assert.equal(await deliverTo(destination, aBatch(['{"a":1}'])), 200)
  assert.equal(collector.requests[0]!.text, '{"a":1}\n')
  assert.equal(collector.requests[0]!.url.search, '?sourcetype=marketplace-cloudflare')
})

test('an unsigned certificate is accepted with insecure-skip-verify', async t => {
  const splunk = await startSplunk(t, token, false)
  const destination = (skip: boolean) =>
    `splunk://${splunk.host}/services/collector/raw?${channel}&insecure-skip-verify=${skip}&${authorization}`
  assert.match((await checkDestination(destination(false), onThisMachine)).message, /failed step: TLS/)
  assert.deepEqual(await checkDestination(destination(true), onThisMachine), { valid: true, message: '' })
})

test('a wrong token is reported, and not shown; so is an error with status 200', async t => {
  const splunk = await startSplunk(t, token)
  const destination = `splunk://${splunk.host}/services/collector/raw?${channel}&header_Authorization=Splunk%20wrong-token`
  const { message } = await checkDestination(destination, onThisMachine)
  assert.match(message, /answered 403, the token is wrong or disabled \(failed step: authenticate/)
  assert.doesNotMatch(message, /wrong-token/)
  splunk.instead = () => ({ status: 200, body: '{"text":"Incorrect index","code":7}' })
  assert.match((await checkDestination(destination, onThisMachine)).message, /error code 7/)
})
