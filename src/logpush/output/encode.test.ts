import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datasets } from '../../model/datasets/table.ts'
import type { JsonObject } from '../../model/resource.ts'
import { lineEncoder } from './encode.ts'
import { parseOutputOptions } from './format.ts'
import { parseLogpullOptions } from './logpull-options.ts'

function encode(options: string, record: { [field: string]: unknown }): string {
  const format = parseLogpullOptions(options, datasets.get('http_requests')!)
  assert.ok(format.ok, JSON.stringify(format))
  return lineEncoder(format.value)(record)
}

test('fields have the requested order, each once, with the empty value of their type when missing', () => {
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

function output(options: JsonObject, record: { [field: string]: unknown }): string {
  const format = parseOutputOptions(options, datasets.get('http_requests')!)
  assert.ok(format.ok, JSON.stringify(format))
  return lineEncoder(format.value)(record)
}

test('each time format keeps the digits that it can hold', () => {
  const rows: [string, string, unknown][] = [
    ['unixnano', '1777593600123456789', '1777593600123456789'],
    ['unix', '1777593600', '1777593600123456789'],
    ['rfc3339', '"2026-05-01T00:00:00Z"', '1777593600999999999'],
    ['rfc3339ms', '"2026-05-01T00:00:00.123Z"', '1777593600123999999'],
    ['rfc3339ns', '"2026-05-01T00:00:00.000000001Z"', '1777593600000000001'],
    ['unixnano', '0', undefined],
    ['unix', '0', undefined],
    ['unix', '0', '999999999'],
    ['unix', '1', '1000000000'],
    ['rfc3339', '"1970-01-01T00:00:00Z"', undefined],
    ['rfc3339ms', '"1970-01-01T00:00:00.000Z"', ''],
    ['rfc3339ns', '"1970-01-01T00:00:00.000000007Z"', '7'],
    ['rfc3339ns', '"2262-04-11T23:47:16.854775807Z"', '9223372036854775807'],
    ['rfc3339ns', '"1970-01-01T00:00:00.000000000Z"', '92233720368547758070'],
    ['unixnano', '0', 'today'],
    ['unixnano', '0', 1777593600000000000],
  ]
  for (const [timestamp_format, want, EdgeStartTimestamp] of rows) {
    const options = { field_names: ['EdgeStartTimestamp'], timestamp_format }
    assert.equal(output(options, { EdgeStartTimestamp }), `{"EdgeStartTimestamp":${want}}\n`)
    assert.equal(output({ ...options, output_type: 'csv' }, { EdgeStartTimestamp }), `${want}\n`)
  }
})

test('a repeated second is written the same way', () => {
  const format = parseOutputOptions(
    {
      field_names: ['EdgeStartTimestamp', 'EdgeEndTimestamp'],
      timestamp_format: 'rfc3339',
      output_type: 'csv',
    },
    datasets.get('http_requests')!,
  )
  assert.ok(format.ok)
  const encode = lineEncoder(format.value)
  const at = (start: number, end: number) =>
    encode({ EdgeStartTimestamp: `${start}000000000`, EdgeEndTimestamp: `${end}000000000` })
  assert.equal(at(1, 2), '"1970-01-01T00:00:01Z","1970-01-01T00:00:02Z"\n')
  assert.equal(at(1, 3), '"1970-01-01T00:00:01Z","1970-01-01T00:00:03Z"\n')
  assert.equal(at(2, 2), '"1970-01-01T00:00:02Z","1970-01-01T00:00:02Z"\n')
})

test('CSV quotes text, doubles quotes, and has arrays and objects as quoted JSON', () => {
  const field_names = [
    'ClientRequestURI',
    'EdgeResponseStatus',
    'EdgeResponseCompressionRatio',
    'CacheReserveUsed',
    'SecurityActions',
    'BotDetectionIDs',
    'Cookies',
    'MatchedRules',
  ]
  const csv = { field_names, output_type: 'csv' }
  assert.equal(output(csv, {}), '"",0,0,false,"[]","[]","{}","[]"\n')
  const record = {
    ClientRequestURI: '/a,"b"\n\\',
    EdgeResponseStatus: 200,
    EdgeResponseCompressionRatio: 1.5,
    CacheReserveUsed: true,
    SecurityActions: ['log', 'say "x"'],
    BotDetectionIDs: [1, 2],
    Cookies: { a: 'b' },
    MatchedRules: [{ rulesetVersion: 1 }],
  }
  assert.equal(
    output(csv, record),
    '"/a,""b""\n\\",200,1.5,true,"[""log"",""say \\""x\\""""]","[1,2]","{""a"":""b""}","[{""rulesetVersion"":1}]"\n',
  )
  assert.deepEqual(csvFields(output(csv, record)), [
    record.ClientRequestURI,
    '200',
    '1.5',
    'true',
    ...[record.SecurityActions, record.BotDetectionIDs, record.Cookies, record.MatchedRules].map(value =>
      JSON.stringify(value),
    ),
  ])
  assert.equal(
    output({ ...csv, field_names: ['RayID', 'ClientIP'], field_delimiter: '\t' }, { RayID: 'a' }),
    '"a"\t""\n',
  )
})

/** One record of RFC 4180, read the other way. */
function csvFields(line: string): readonly string[] {
  const matches = line.replace(/\n$/, '').matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)
  return [...matches].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!)
}

test('delimiter, prefix and suffix are written verbatim', () => {
  const options = {
    field_names: ['RayID', 'ClientIP'],
    field_delimiter: ' | ',
    record_prefix: '<',
    record_suffix: '>',
  }
  assert.equal(output(options, { RayID: 'a', ClientIP: 'b' }), '<"RayID":"a" | "ClientIP":"b">')
  const bare = { ...options, record_prefix: '', record_suffix: '', output_type: 'csv' }
  assert.equal(output(bare, { RayID: 'a', ClientIP: 'b' }), '"a" | "b"')
})

test('a template replaces the fields, between prefix and suffix', () => {
  const record = {
    RayID: 'a"b',
    EdgeResponseStatus: 200,
    EdgeStartTimestamp: '1777593600000000000',
    SecurityActions: ['log'],
  }
  const field_names = ['RayID', 'EdgeResponseStatus', 'EdgeStartTimestamp', 'SecurityActions']
  const rows: [JsonObject, string][] = [
    [
      { field_names, record_template: '"ray":{{.RayID}},"code":{{.EdgeResponseStatus}}' },
      '{"ray":"a\\"b","code":200}\n',
    ],
    [
      {
        field_names,
        record_template: '{{.SecurityActions}}{{.EdgeStartTimestamp}}',
        timestamp_format: 'rfc3339',
      },
      '{["log"]"2026-05-01T00:00:00Z"}\n',
    ],
    [
      { field_names, record_template: '{{.ClientIP}} {{.Nothing}} {{.RayID}}{{.RayID}}' },
      '{null null "a\\"b""a\\"b"}\n',
    ],
    [{ record_template: '{{.Cookies}}' }, '{null}\n'],
    [
      { field_names, record_template: '{{.RayID}};{{.ClientIP}}', output_type: 'csv', field_delimiter: '|' },
      '"a""b";null\n',
    ],
    [{ field_names, record_template: 'x', record_prefix: '', record_suffix: '' }, 'x'],
    [
      { field_names: ['RayID'], record_template: '{{.RayID}}', 'CVE-2021-44228': true, record_prefix: '$' },
      '$"a\\"b"}\n',
    ],
  ]
  for (const [options, want] of rows) assert.equal(output(options, record), want, JSON.stringify(options))
})
