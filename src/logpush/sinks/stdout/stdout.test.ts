import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { test } from 'node:test'
import { aBatch, soon } from '../../testing/batch.ts'
import { reaching } from '../../testing/destinations.ts'
import { openStdout } from './deliver.ts'
import { stdoutSink } from './target.ts'

test('lines are written verbatim; the test upload is silent', async () => {
  const output = new PassThrough()
  const sink = openStdout(output)
  await sink.probe(aBatch(['test']), soon())
  await sink.put(aBatch(['{"n":1}', '{"n":2}']), soon())
  assert.equal(String(output.read()), '{"n":1}\n{"n":2}\n')
})

test('a closed output is a failure', async () => {
  const output = new PassThrough()
  output.on('error', () => {})
  const sink = openStdout(output)
  output.end()
  await assert.rejects(sink.probe(aBatch(['test']), soon()), /standard output cannot be written/)
  await assert.rejects(sink.put(aBatch(['a']), soon()), /standard output cannot be written/)
})

test('an output without a reader ends at the signal, and gets no second copy', async () => {
  const output = new PassThrough({ highWaterMark: 4 })
  const sink = openStdout(output)
  output.write('more than it holds')
  await assert.rejects(sink.put(aBatch(['a']), soon()), /it has no reader/)
  const stuck = new Writable({ write() {} })
  await assert.rejects(openStdout(stuck).put(aBatch(['a']), AbortSignal.timeout(20)), /it has no reader/)
})

test('the form has no address, and requires local destinations to be allowed', async () => {
  for (const text of ['stdout:', 'stdout://']) assert.ok(stdoutSink.parse(text).ok)
  for (const text of ['stdout:/x', 'stdout://host', 'stdout:?a']) assert.ok(!stdoutSink.parse(text).ok)
  const target = stdoutSink.parse('stdout:')
  assert.ok(target.ok)
  await assert.rejects(target.value.open(reaching('public')), /does not allow/)
})
