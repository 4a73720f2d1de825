import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { test } from 'node:test'
import { aBatch, soon } from '../batch.test-support.ts'
import { openStdout } from './deliver.ts'
import { stdoutSink } from './target.ts'

test('lines come out as they are; the test upload is silent', async () => {
  const output = new PassThrough()
  const sink = openStdout(output)
  await sink.probe(aBatch(['test']), soon())
  await sink.put(aBatch(['{"n":1}', '{"n":2}']), soon())
  assert.equal(String(output.read()), '{"n":1}\n{"n":2}\n')
})

test('an output that is closed is a failure', async () => {
  const output = new PassThrough()
  output.on('error', () => {})
  const sink = openStdout(output)
  output.end()
  await assert.rejects(sink.probe(aBatch(['test']), soon()), /standard output cannot be written/)
  await assert.rejects(sink.put(aBatch(['a']), soon()), /standard output cannot be written/)
})

test('an output that nobody reads ends at the signal, and takes no second copy', async () => {
  const output = new PassThrough({ highWaterMark: 4 })
  const sink = openStdout(output)
  output.write('more than it holds')
  await assert.rejects(sink.put(aBatch(['a']), soon()), /nobody reads it/)
  const stuck = new Writable({ write() {} })
  await assert.rejects(openStdout(stuck).put(aBatch(['a']), AbortSignal.timeout(20)), /nobody reads it/)
})

test('the form has no address, and needs reach to this machine', async () => {
  for (const text of ['stdout:', 'stdout://']) assert.ok(stdoutSink.parse(text).ok)
  for (const text of ['stdout:/x', 'stdout://host', 'stdout:?a']) assert.ok(!stdoutSink.parse(text).ok)
  const target = stdoutSink.parse('stdout:')
  assert.ok(target.ok)
  await assert.rejects(target.value.open('public'), /does not allow/)
})
