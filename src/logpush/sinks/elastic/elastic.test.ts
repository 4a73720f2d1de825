import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startElastic } from '../../../../test/support/receivers/engines.ts'
import { aBatch, deliverTo, someLines } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'
import { SinkError } from '../sink.ts'
import { elasticSink } from './target.ts'

const key = 'ApiKey VnVhQ2ZHY0JDZGJrUW0tZTVhT3g6dWkybHAyYXhUTm1zeWFrdzl0dk5udw=='
const header = `header_Authorization=${encodeURIComponent(key)}`

test('a replay creates nothing, even after a partial delivery', async t => {
  const elastic = await startElastic(t, 'logs', key)
  const destination = `elastic://${elastic.host}/logs?${header}`
  const lines = someLines(5001)
  let fails = true
  elastic.instead = request => (fails && request.text.includes('"n":5000') ? { status: 503 } : undefined)
  await assert.rejects(deliverTo(destination, aBatch(lines)), SinkError)
  assert.equal(elastic.documents.size, 5000)
  fails = false
  await deliverTo(destination, aBatch(lines))
  await deliverTo(destination, aBatch(lines))
  assert.deepEqual(
    [...elastic.documents.values()],
    lines.map(line => JSON.parse(line)),
  )
  assert.match([...elastic.documents.keys()][5000]!, /^[0-9a-f]{20}-5101-/)
})

test('a refused document fails the batch, with the reason', async t => {
  const elastic = await startElastic(t, 'logs', key)
  const rows: [status: number, retry: string, words: RegExp][] = [
    [
      400,
      'never',
      /did not accept 1 of 3 records, and has the others: 400 mapper: bad; the mapping of the index/,
    ],
    [429, 'later', /did not accept 1 documents: 429 mapper: bad$/],
  ]
  for (const [status, retry, words] of rows) {
    elastic.refuses = ({ n }) => (n === 1 ? { status, type: 'mapper', reason: 'bad' } : undefined)
    await assert.rejects(
      deliverTo(`elastic://${elastic.host}/logs?${header}`, aBatch(someLines(3))),
      (error: SinkError) => {
        assert.equal(error.retry, retry)
        assert.match(error.message, words)
        assert.equal(error.status, status)
        return true
      },
    )
  }
})

test('a document that does not fit does not affect others, and is not lost when the mapping is fixed', async t => {
  const elastic = await startElastic(t, 'logs', key)
  const destination = `elastic://${elastic.host}/logs?${header}`
  const lines = someLines(5003)
  elastic.refuses = ({ n }) =>
    n === 7 || n === 5001 ? { status: 400, type: 'mapper', reason: 'bad' } : undefined
  const batch = aBatch(lines)
  await assert.rejects(deliverTo(destination, batch), /did not accept 2 of 5003 records/)
  assert.equal(elastic.documents.size, 5001)
  elastic.refuses = () => undefined
  await deliverTo(destination, batch)
  assert.equal(elastic.documents.size, 5003)
})

test('an index that a full disk has closed is written to again when space is free', async t => {
  const elastic = await startElastic(t, 'logs', key)
  elastic.refuses = () => ({ status: 403, type: 'cluster_block_exception', reason: 'read-only' })
  await assert.rejects(
    deliverTo(`elastic://${elastic.host}/logs?${header}`, aBatch(someLines(1))),
    (error: SinkError) => error.retry === 'later' && /read-only/.test(error.message),
  )
})

test('an answer without a result for each document is no success', async t => {
  const elastic = await startElastic(t, 'logs', key)
  for (const reply of [
    { status: 200 },
    { status: 200, body: '{"ok":true}' },
    { status: 200, body: '{"errors":true,"items":[]}' },
    'endless' as const,
  ]) {
    elastic.instead = () => reply
    await assert.rejects(
      deliverTo(`elastic://${elastic.host}/logs?${header}`, aBatch(someLines(1))),
      /without a result for each document/,
    )
  }
})

test('other formats than JSON are refused before sending', async t => {
  const elastic = await startElastic(t, 'logs', key)
  await assert.rejects(
    deliverTo(`elastic://${elastic.host}/logs?${header}`, aBatch(['"a",1'])),
    /set output_options to ndjson/,
  )
  assert.equal(elastic.requests.length, 0)
})

test('the address is checked, and refused credentials are reported', async t => {
  const elastic = await startElastic(t, 'logs', key)
  const { message } = await checkDestination(`elastic://mary:secret-word@${elastic.host}/logs`, onThisMachine)
  assert.match(message, /answered 401, the API key or password is wrong \(failed step: authenticate\)/)
  assert.doesNotMatch(message, /secret-word/)
  for (const text of ['elastic://h:9200', 'elastic://h/Upper', 'elastic://h/a/_doc', 'elastic://h/_all']) {
    const refused = elasticSink.parse(text)
    assert.ok(!refused.ok && /with an index in lower case/.test(refused.problem.message), text)
  }
})

test('a path prefix of a proxy precedes the index', async t => {
  const elastic = await startElastic(t, 'search/es/logs', key)
  await deliverTo(`elastic://${elastic.host}/search/es/logs?${header}`, aBatch(['{"a":1}']))
  assert.equal(elastic.documents.size, 1)
  assert.equal(elastic.requests[0]!.url.pathname, '/search/es/logs/_bulk')
  for (const path of ['', '/', '/a//logs', '/Prefix/UPPER', '/logs/'])
    assert.ok(!elasticSink.parse(`elastic://h${path}?tls=false`).ok, path)
})
