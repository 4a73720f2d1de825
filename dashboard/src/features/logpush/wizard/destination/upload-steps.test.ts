import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsTo } from './upload-steps.ts'

test('only a connection with TLS counts as encrypted', () => {
  const tls = (conf: string) => stepsTo(conf).find(({ name }) => name === 'TLS')
  for (const conf of ['https://logs.example.com/in', 's3://b/x?region=eu', 'kafka://b:9092/t?tls=true'])
    assert.deepEqual([tls(conf)?.done, tls(conf)?.isDoubtful], ['TLS connection established', undefined])
  for (const conf of [
    'http://127.0.0.1:9000/in',
    'HTTP://127.0.0.1/',
    'elastic://127.0.0.1:9200/logs?tls=false',
    'loki://h:3100?label_a=b&tls=false&label_env=prod',
    's3://b/x?region=eu&endpoint=http://127.0.0.1:4568&access-key-id=a',
    's3://b/x?region=eu&endpoint=http%3A%2F%2F127.0.0.1',
  ])
    assert.deepEqual([tls(conf)?.done, tls(conf)?.isDoubtful], ['Connection not encrypted', true], conf)
  for (const conf of ['file:logs', 'stdout://'])
    assert.deepEqual(
      stepsTo(conf).map(({ name }) => name),
      ['write'],
    )
})
