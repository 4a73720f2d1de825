import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datasets } from '../../model/datasets/table.ts'
import type { JsonObject } from '../../model/resource.ts'
import { logpushLimits } from '../limits.ts'
import { type LineFormat, parseOutputOptions } from './format.ts'
import { parseLogpullOptions } from './logpull-options.ts'

const requests = datasets.get('http_requests')!
const events = datasets.get('firewall_events')!

function formatted(options: JsonObject): LineFormat {
  const format = parseOutputOptions(options, requests)
  assert.ok(format.ok, JSON.stringify(format))
  return format.value
}

const ndjsonTexts = {
  batchPrefix: '',
  batchSuffix: '',
  recordPrefix: '{',
  recordSuffix: '}\n',
  recordDelimiter: '',
  fieldDelimiter: ',',
}

test('absent options have the defaults of the output type', () => {
  const format = formatted({})
  assert.deepEqual(format.texts, ndjsonTexts)
  assert.deepEqual(
    format.fields.map(field => field.name),
    requests.defaultFields,
  )
  assert.equal(format.timestamps, 'unixnano')
  assert.equal(format.sampleRate, 1)
  assert.equal(format.defuse, false)
  assert.equal(format.template, undefined)
  assert.deepEqual(formatted({ output_type: 'csv' }).texts, {
    ...ndjsonTexts,
    recordPrefix: '',
    recordSuffix: '\n',
  })
})

test('null means absent, and an empty text is a text', () => {
  const keys = [
    'field_names',
    'output_type',
    'batch_prefix',
    'batch_suffix',
    'record_prefix',
    'record_suffix',
    'record_delimiter',
    'field_delimiter',
    'record_template',
    'timestamp_format',
    'sample_rate',
    'CVE-2021-44228',
    'merge_subrequests',
  ]
  assert.deepEqual(formatted(Object.fromEntries(keys.map(key => [key, null]))), formatted({}))
  assert.deepEqual(formatted({ field_names: [] }), formatted({}))
  assert.equal(formatted({ record_prefix: '' }).texts.recordPrefix, '')
  assert.equal(formatted({ record_template: '' }).template, undefined)
})

test('every option is accepted', () => {
  const format = formatted({
    field_names: ['RayID', 'ClientIP', 'RayID'],
    output_type: 'csv',
    batch_prefix: '[',
    batch_suffix: ']',
    record_prefix: '<',
    record_suffix: '>',
    record_delimiter: ';',
    field_delimiter: '\t',
    record_template: '{{.RayID}}!',
    timestamp_format: 'rfc3339ns',
    sample_rate: 0.01,
    'CVE-2021-44228': true,
    merge_subrequests: true,
  })
  assert.deepEqual(
    format.fields.map(field => field.name),
    ['RayID', 'ClientIP'],
  )
  assert.deepEqual(format.texts, {
    batchPrefix: '[',
    batchSuffix: ']',
    recordPrefix: '<',
    recordSuffix: '>',
    recordDelimiter: ';',
    fieldDelimiter: '\t',
  })
  assert.deepEqual(format.template, [
    { kind: 'field', name: 'RayID' },
    { kind: 'text', text: '!' },
  ])
  assert.equal(format.type, 'csv')
  assert.equal(format.timestamps, 'rfc3339ns')
  assert.equal(format.sampleRate, 0.01)
  assert.equal(format.defuse, true)
  assert.equal(formatted({ 'CVE-2021-4428': true }).defuse, true)
})

test('wrong options are refused with their pointer', () => {
  const long = 'x'.repeat(logpushLimits.outputTextCharactersMax + 1)
  const longTemplate = 'x'.repeat(logpushLimits.outputTemplateCharactersMax + 1)
  const rows: [JsonObject, string, RegExp][] = [
    [{ field_name: ['RayID'] }, '/field_name', /did you mean field_names\?/],
    [{ stringify_object: true }, '/stringify_object', /no output option/],
    [{ 'a/b': 1 }, '/a~1b', /no output option "a\/b"/],
    [{ __proto__x: 1, toString: 1 }, '/__proto__x', /no output option/],
    [{ field_names: 'RayID' }, '/field_names', /array of field names/],
    [{ field_names: ['RayID', 7] }, '/field_names', /array of field names/],
    [{ field_names: ['RayID', ' ClientIP'] }, '/field_names/1', /did you mean ClientIP\?/],
    [{ field_names: ['constructor'] }, '/field_names/0', /no such field/],
    [{ output_type: 'CSV' }, '/output_type', /one of ndjson, csv, parquet$/],
    [{ output_type: 'parquet', batch_prefix: '' }, '/batch_prefix', /Parquet file has none/],
    [{ output_type: 'parquet', field_delimiter: ',' }, '/field_delimiter', /is for lines/],
    [{ output_type: 'parquet', record_template: '{{.RayID}}' }, '/record_template', /is for lines/],
    [{ timestamp_format: 'iso' }, '/timestamp_format', /unixnano, unix, rfc3339, rfc3339ms, rfc3339ns/],
    [{ sample_rate: 0 }, '/sample_rate', /above 0 and at most 1/],
    [{ sample_rate: 1.01 }, '/sample_rate', /above 0 and at most 1/],
    [{ sample_rate: '0.5' }, '/sample_rate', /a number/],
    [{ 'CVE-2021-44228': 'true' }, '/CVE-2021-44228', /true or false/],
    [{ merge_subrequests: 1 }, '/merge_subrequests', /true or false/],
    [{ batch_prefix: 1 }, '/batch_prefix', /text of at most/],
    [{ record_delimiter: long }, '/record_delimiter', /at most 4096 characters/],
    [{ record_template: longTemplate }, '/record_template', /at most 32768 characters/],
    [{ record_template: 'a{{ .RayID' }, '/record_template', /not closed, at character 11$/],
  ]
  for (const [options, pointer, message] of rows) {
    const format = parseOutputOptions(options, requests)
    assert.ok(!format.ok, JSON.stringify(options).slice(0, 100))
    assert.equal(format.problem.status, 400)
    assert.equal(format.problem.pointer, `/output_options${pointer}`)
    assert.match(format.problem.message, message)
  }
  const options = { sample_rate: 0.5, timestamp_format: 'unix', 'CVE-2021-44228': true, record_prefix: null }
  formatted({ output_type: 'parquet', ...options })
  formatted({ record_delimiter: long.slice(1), record_template: longTemplate.slice(1), sample_rate: 1e-9 })
})

test('a template may name fields that the job or the dataset does not have', () => {
  formatted({ field_names: ['RayID'], record_template: '{{.ClientIP}} {{.Nothing}}' })
})

test('subrequests are merged in http_requests only', () => {
  const options = { merge_subrequests: true }
  const format = parseOutputOptions(options, events)
  assert.ok(!format.ok && format.problem.pointer === '/output_options/merge_subrequests')
  assert.ok(parseOutputOptions({ merge_subrequests: false }, events).ok)
})

test('logpull_options can sample', () => {
  const rows: [string, number | undefined][] = [
    ['', 1],
    ['sample=1', 1],
    ['sample=1.0', 1],
    ['sample=0.01', 0.01],
    ['https://host/logs/received?sample=0.5&count=7', 0.5],
    ['sample=0', undefined],
    ['sample=1.5', undefined],
    ['sample=-1', undefined],
    ['sample=1e-1', undefined],
    ['sample=', undefined],
    ['sample=.', undefined],
  ]
  for (const [options, rate] of rows) {
    const format = parseLogpullOptions(options, requests)
    assert.equal(format.ok ? format.value.sampleRate : undefined, rate, options)
    if (!format.ok) assert.match(format.problem.message, /above 0 and at most 1/)
  }
})
