import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datasets } from '../model/datasets/table.ts'
import { lineEncoder } from './encode.ts'
import { parseLogpullOptions } from './format.ts'

function encode(options: string, record: { [field: string]: unknown }): string {
  const format = parseLogpullOptions(options, datasets.get('http_requests')!)
  assert.ok(format.ok, JSON.stringify(format))
  return lineEncoder(format.value)(record)
}

test('fields come in the order asked for, each once, with the empty value of their type when missing', () => {
  assert.equal(
    encode('fields=ClientIP,RayID,EdgeResponseStatus,Cookies,SecurityActions,RayID,CacheReserveUsed', {
      RayID: 'a"b',
    }),
    '{"ClientIP":"","RayID":"a\\"b","EdgeResponseStatus":0,"Cookies":{},"SecurityActions":[],"CacheReserveUsed":false}\n',
  )
})

test('times are written in each format without losing a digit', () => {
  const record = { EdgeStartTimestamp: '1777593600123456789' }
  assert.equal(encode('fields=EdgeStartTimestamp', record), '{"EdgeStartTimestamp":1777593600123456789}\n')
  assert.equal(
    encode('fields=EdgeStartTimestamp&timestamps=unix', record),
    '{"EdgeStartTimestamp":1777593600}\n',
  )
  assert.equal(
    encode('fields=EdgeStartTimestamp&timestamps=rfc3339', record),
    '{"EdgeStartTimestamp":"2026-05-01T00:00:00Z"}\n',
  )
})

test('the Log4Shell flag defuses every ${ of the line', () => {
  const record = { ClientRequestPath: '/${jndi:x}${y}', RequestHeaders: { a: '${b}' } }
  assert.equal(
    encode('fields=ClientRequestPath,RequestHeaders&CVE-2021-44228=true', record),
    '{"ClientRequestPath":"/x{jndi:x}x{y}","RequestHeaders":{"a":"x{b}"}}\n',
  )
  assert.match(encode('fields=ClientRequestPath', record), /\$\{jndi/)
})

test('no options mean the default fields and nanoseconds', () => {
  const line = JSON.parse(encode('', {})) as object
  assert.deepEqual(Object.keys(line).sort(), [...datasets.get('http_requests')!.defaultFields].sort())
})
