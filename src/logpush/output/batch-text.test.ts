import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../../model/dataset.ts'
import { datasets } from '../../model/datasets/table.ts'
import type { JsonObject } from '../../model/resource.ts'
import { BatchText, batchFraming } from './batch-text.ts'
import { lineEncoder } from './encode.ts'
import { type LineFormat, parseOutputOptions } from './format.ts'

function formatOf(options: JsonObject): LineFormat {
  const format = parseOutputOptions(options, datasets.get('http_requests')!)
  assert.ok(format.ok, JSON.stringify(format))
  return format.value
}

function assembled(options: JsonObject, records: readonly LogRecord[]): string {
  const batch = new BatchText(formatOf(options))
  return records.map(record => batch.add(record)).join('') + batch.end()
}

const records: readonly LogRecord[] = [
  { RayID: 'a', ClientIP: '192.0.2.1' },
  { RayID: 'b', ClientIP: '192.0.2.2' },
  { RayID: 'c', ClientIP: '192.0.2.3' },
]
const fields = { field_names: ['ClientIP', 'RayID'] }

test('a batch is prefix, records with delimiters between them, and suffix', () => {
  assert.equal(
    assembled({ field_names: ['RayID'] }, records),
    '{"RayID":"a"}\n{"RayID":"b"}\n{"RayID":"c"}\n',
  )
  assert.equal(
    assembled(
      { ...fields, batch_prefix: '[\n', batch_suffix: ']\n', record_suffix: '}', record_delimiter: ',' },
      records,
    ),
    '[\n{"ClientIP":"192.0.2.1","RayID":"a"},{"ClientIP":"192.0.2.2","RayID":"b"},{"ClientIP":"192.0.2.3","RayID":"c"}]\n',
  )
  const nested = {
    ...fields,
    batch_prefix: '[',
    batch_suffix: ']',
    record_prefix: '{"event":{',
    record_suffix: '}}',
    record_delimiter: ',',
  }
  assert.deepEqual(
    JSON.parse(assembled(nested, records)),
    records.map(event => ({ event })),
  )
})

test('CSV has a head line when the prefix is one', () => {
  assert.equal(
    assembled({ ...fields, output_type: 'csv', batch_prefix: 'ip,ray\n' }, records),
    'ip,ray\n"192.0.2.1","a"\n"192.0.2.2","b"\n"192.0.2.3","c"\n',
  )
})

test('without records the text is empty', () => {
  assert.equal(assembled({ batch_prefix: '[', batch_suffix: ']' }, []), '')
})

test('sizes are those of the records, in bytes', () => {
  const format = formatOf({ field_names: ['RayID'], record_delimiter: ',' })
  const batch = new BatchText(format)
  for (const RayID of ['a', 'é', '\u{1f600}']) batch.add({ RayID })
  assert.deepEqual(batch.sizes, [14, 15, 17])
  assert.deepEqual(batch.framing, batchFraming(format))
})

test('no ${ is left anywhere, not even across boundaries, and nothing else is changed', () => {
  const flag = { 'CVE-2021-44228': true }
  const rows: [JsonObject, readonly LogRecord[], string][] = [
    [
      { field_names: ['RayID'], batch_prefix: '${', batch_suffix: '${' },
      [{ RayID: '${$${' }],
      'x{{"RayID":"x{$x{"}\nx{',
    ],
    [{ field_names: ['RayID'], batch_prefix: '$' }, [{ RayID: '' }], 'x{"RayID":""}\n'],
    [{ field_names: ['RayID'], batch_prefix: '$', record_prefix: '<{' }, [{ RayID: '' }], '$<{"RayID":""}\n'],
    [
      { record_template: '{{"{"}}a$', record_prefix: '', record_suffix: '', batch_suffix: '{' },
      [{}, {}],
      '{ax{ax{',
    ],
    [
      {
        record_template: 'a',
        record_prefix: '',
        record_suffix: '$',
        record_delimiter: '{',
        batch_suffix: '$',
      },
      [{}, {}],
      'ax{a$$',
    ],
    [{ record_template: '$', record_prefix: '', record_suffix: '' }, [{}, {}], '$$'],
  ]
  for (const [options, lines, want] of rows)
    assert.equal(assembled({ ...options, ...flag }, lines), want, JSON.stringify(options))
  const [options, lines] = rows[0]!
  assert.equal(assembled(options, lines), '${{"RayID":"${$${"}\n${')
})

test('defusing keeps every length', () => {
  const options = { field_names: ['RayID'], 'CVE-2021-44228': true, record_delimiter: '${' }
  const format = formatOf(options)
  const lines = ['${', 'a$', '{'].map(RayID => ({ RayID }))
  const batch = new BatchText(format)
  const text = lines.map(line => batch.add(line)).join('') + batch.end()
  assert.equal(text, lines.map(lineEncoder(format)).join(batch.framing.delimiter))
  assert.equal(text.length, batch.sizes.reduce((sum, size) => sum + size, 0) + 2 * 2)
})
