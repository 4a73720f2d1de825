import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Bench, openBench } from './bench.ts'

/**
 * The content of a job's objects, by its options and its filter: sections 2.3 to 2.7, 4.3, 4.6, 4.7 and 5.3 of our
 * description of Cloudflare's log APIs. All jobs see the same records.
 */

const nanoseconds = '1700000000123456789'
/** Records with an a test the form of lines, records with a b test filters, and records with a c test samples. */
const records = [
  {
    RayID: 'a1',
    ClientIP: '192.0.2.1',
    ClientRequestHost: 'shop.test',
    ClientRequestUserAgent: 'say "hi", <b>&\t\u2028${x}',
    EdgeStartTimestamp: nanoseconds,
    EdgeResponseStatus: 200,
    CacheReserveUsed: true,
    SecurityActions: ['block', 'a,"b"'],
    RequestHeaders: { 'x-forwarded-for': '10.0.0.7' },
    ResponseHeaders: { server: 'nginx', 'set-cookie': ['a=1'] },
    Cookies: { accountNumber: '17' },
  },
  { RayID: 'a2' },
  {
    RayID: 'b1',
    ClientRequestHost: 'shop.test',
    ClientRequestPath: '/a',
    EdgeResponseStatus: 200,
    BotScore: 30,
  },
  {
    RayID: 'b2',
    ClientRequestHost: 'shop.test',
    ClientRequestPath: '/healthz',
    EdgeResponseStatus: 502,
    BotScore: 29,
  },
  {
    RayID: 'b3',
    ClientRequestHost: 'other.test',
    ClientRequestPath: '/a/b',
    EdgeResponseStatus: 504,
    BotScore: 99,
  },
  { RayID: 'b4', ClientRequestHost: 'SHOP.test', EdgeResponseStatus: 403, SecurityActions: ['log', 'block'] },
  { RayID: 'b5', EdgeResponseStatus: 403, SecurityActions: ['managedChallenge'] },
  { RayID: 'b6' },
  ...Array.from({ length: 400 }, (_, n) => ({ RayID: `c${n}` })),
]

interface Row {
  readonly name: string
  readonly job: Readonly<Record<string, unknown>>
  /** All text of the object; undefined without an object. */
  readonly text: string | undefined | RegExp
}

const startsWith = (prefix: string) => ({ key: 'RayID', operator: 'startsWith', value: prefix })
const only = (prefix: string) => JSON.stringify({ where: startsWith(prefix) })
const look = (name: string, output_options: object, text: string | RegExp): Row => ({
  name,
  job: { filter: only('a'), output_options },
  text,
})
const ids = ['RayID', 'ClientIP']

const assembly: readonly Row[] = [
  look(
    '2.3 ndjson',
    { field_names: ids },
    '{"RayID":"a1","ClientIP":"192.0.2.1"}\n{"RayID":"a2","ClientIP":""}\n',
  ),
  look(
    '2.3 the order of the names',
    { field_names: [...ids].reverse() },
    '{"ClientIP":"192.0.2.1","RayID":"a1"}\n{"ClientIP":"","RayID":"a2"}\n',
  ),
  look('2.3 csv', { output_type: 'csv', field_names: ids }, '"a1","192.0.2.1"\n"a2",""\n'),
  look(
    '2.3 csv with a header line',
    { output_type: 'csv', field_names: ids, batch_prefix: 'RayID,ClientIP\n' },
    'RayID,ClientIP\n"a1","192.0.2.1"\n"a2",""\n',
  ),
  look(
    '2.3 csv with tabs',
    { output_type: 'csv', field_names: ids, field_delimiter: '\t' },
    '"a1"\t"192.0.2.1"\n"a2"\t""\n',
  ),
  look(
    '2.3 an array of objects with nesting',
    {
      field_names: ['RayID'],
      batch_prefix: '[',
      record_prefix: '{"info":{',
      record_suffix: '}}',
      record_delimiter: ',',
      batch_suffix: ']',
    },
    '[{"info":{"RayID":"a1"}},{"info":{"RayID":"a2"}}]',
  ),
  look(
    '2.3 the array of IBM Cloud Logs',
    { field_names: ['RayID'], batch_prefix: '[', batch_suffix: ']', record_delimiter: ',' },
    '[{"RayID":"a1"}\n,{"RayID":"a2"}\n]',
  ),
  look(
    '2.3 the delimiter of fields',
    { field_names: ids, field_delimiter: ';' },
    '{"RayID":"a1";"ClientIP":"192.0.2.1"}\n{"RayID":"a2";"ClientIP":""}\n',
  ),
  look(
    '2.3 empty texts',
    { field_names: ids, record_prefix: '', record_suffix: '', field_delimiter: '' },
    '"RayID":"a1""ClientIP":"192.0.2.1""RayID":"a2""ClientIP":""',
  ),
  look(
    '2.3 null is the default',
    { field_names: ['RayID'], record_prefix: null, record_suffix: null },
    '{"RayID":"a1"}\n{"RayID":"a2"}\n',
  ),
  look(
    '2.2 the default fields',
    {},
    /^(\{"ClientIP":".*","ClientRequestHost":.*,"EdgeStartTimestamp":\d+,"RayID":"a\d"\}\n){2}$/,
  ),
  look(
    '2.2 the default fields of an empty list',
    { field_names: [] },
    /^(\{"ClientIP":.*,"RayID":"a\d"\}\n){2}$/,
  ),
  {
    name: '2.3 no records, no object',
    job: { filter: only('nothing'), output_options: { batch_prefix: '[', batch_suffix: ']' } },
    text: undefined,
  },
]

const kinds = [
  'EdgeResponseStatus',
  'CacheReserveUsed',
  'SecurityActions',
  'RequestHeaders',
  'EdgeStartTimestamp',
]
const time = (form: string, shown: string) =>
  look(
    `2.4 ${form}`,
    { field_names: ['EdgeStartTimestamp'], timestamp_format: form },
    new RegExp(`^\\{"EdgeStartTimestamp":${shown}\\}\n`),
  )

const values: readonly Row[] = [
  look(
    '2.4 every kind in ndjson',
    { field_names: kinds },
    `{"EdgeResponseStatus":200,"CacheReserveUsed":true,"SecurityActions":["block","a,\\"b\\""],"RequestHeaders":{"x-forwarded-for":"10.0.0.7"},"EdgeStartTimestamp":${nanoseconds}}\n` +
      '{"EdgeResponseStatus":0,"CacheReserveUsed":false,"SecurityActions":[],"RequestHeaders":{},"EdgeStartTimestamp":0}\n',
  ),
  look(
    '2.4 every kind in csv',
    { field_names: kinds, output_type: 'csv' },
    `200,true,"[""block"",""a,\\""b\\""""]","{""x-forwarded-for"":""10.0.0.7""}",${nanoseconds}\n0,false,"[]","{}",0\n`,
  ),
  look(
    '2.4 a text in csv',
    { field_names: ['ClientRequestUserAgent'], output_type: 'csv' },
    '"say ""hi"", <b>&\t\u2028${x}"\n""\n',
  ),
  look(
    '2.4 a text in ndjson',
    { field_names: ['ClientRequestUserAgent'] },
    /^\{"ClientRequestUserAgent":"say \\"hi\\", <b>&\\t(\u2028|\\u2028)\$\{x\}"\}\n/,
  ),
  time('unixnano', nanoseconds),
  time('unix', '1700000000'),
  time('rfc3339', '"2023-11-14T22:13:20Z"'),
  time('rfc3339ms', '"2023-11-14T22:13:20.123Z"'),
  time('rfc3339ns', '"2023-11-14T22:13:20.123456789Z"'),
  look(
    '2.4 rfc3339 in csv',
    { field_names: ['EdgeStartTimestamp'], output_type: 'csv', timestamp_format: 'rfc3339' },
    /^"2023-11-14T22:13:20Z"\n/,
  ),
  look(
    '2.2 CVE-2021-44228',
    { field_names: ['ClientRequestUserAgent'], 'CVE-2021-44228': true, output_type: 'csv' },
    '"say ""hi"", <b>&\t\u2028x{x}"\n""\n',
  ),
  look(
    '2.2 CVE-2021-44228 in the texts around',
    { field_names: ['RayID'], 'CVE-2021-44228': true, batch_prefix: '${a}' },
    'x{a}{"RayID":"a1"}\n{"RayID":"a2"}\n',
  ),
  look(
    '2.6 merge_subrequests',
    { field_names: ['RayID', 'Subrequests'], merge_subrequests: true },
    '{"RayID":"a1","Subrequests":[]}\n{"RayID":"a2","Subrequests":[]}\n',
  ),
  look(
    '5.3 custom fields',
    { field_names: ['RayID', 'RequestHeaders', 'ResponseHeaders', 'Cookies'] },
    '{"RayID":"a1","RequestHeaders":{"x-forwarded-for":"10.0.0.7"},"ResponseHeaders":{"server":"nginx","set-cookie":["a=1"]},"Cookies":{"accountNumber":"17"}}\n' +
      '{"RayID":"a2","RequestHeaders":{},"ResponseHeaders":{},"Cookies":{}}\n',
  ),
]

const template = (name: string, record_template: string, text: string, more: object = {}) =>
  look(`2.5 ${name}`, { field_names: ['RayID', 'EdgeResponseStatus'], record_template, ...more }, text)
const templates: readonly Row[] = [
  template(
    'renames keys; prefix and suffix stay',
    '"id":{{.RayID}},"s":{{ .EdgeResponseStatus }}',
    '{"id":"a1","s":200}\n{"id":"a2","s":0}\n',
  ),
  template(
    'constants',
    '{{ "{" }}{{ `"` }}{{.RayID}}{{ "\\t" }}',
    '{"""a1"\t}\n{"""a2"\t}\n'.replaceAll('{"""', '{{""'),
  ),
  template('comments', 'x{{/* nothing */}}y', '{xy}\n{xy}\n'),
  template('a field that is not named', '{{.RayID}} {{.ClientIP}}', '{"a1" null}\n{"a2" null}\n'),
  template('a field that is nowhere', '{{.NoSuchField}}', '{null}\n{null}\n'),
  template('the delimiter of fields has no effect', '{{.RayID}},{{.RayID}}', '{"a1","a1"}\n{"a2","a2"}\n', {
    field_delimiter: ';',
  }),
  template('csv', '{{.RayID}}|{{.EdgeResponseStatus}}', '"a1"|200\n"a2"|0\n', { output_type: 'csv' }),
]

const pull = (name: string, logpull_options: string, text: string | RegExp, more: object = {}): Row => ({
  name: `2.1 ${name}`,
  job: { filter: only('a'), logpull_options, ...more },
  text,
})
const older: readonly Row[] = [
  pull(
    'fields',
    'fields=RayID,ClientIP',
    '{"RayID":"a1","ClientIP":"192.0.2.1"}\n{"RayID":"a2","ClientIP":""}\n',
  ),
  pull(
    'a whole URL',
    'https://x.test/received?start=1&count=1&fields=RayID',
    '{"RayID":"a1"}\n{"RayID":"a2"}\n',
  ),
  pull(
    'timestamps',
    'timestamps=rfc3339&fields=EdgeStartTimestamp',
    /^\{"EdgeStartTimestamp":"2023-11-14T22:13:20Z"\}\n/,
  ),
  pull(
    'the default fields',
    'timestamps=unix',
    /^\{"ClientIP":.*"EdgeStartTimestamp":1700000000,"RayID":"a1"\}\n/,
  ),
  pull('CVE-2021-44228', 'fields=ClientRequestUserAgent&CVE-2021-44228=true', /x\{x\}/),
  pull('output_options win', 'fields=ClientIP', '{"RayID":"a1"}\n{"RayID":"a2"}\n', {
    output_options: { field_names: ['RayID'] },
  }),
]

const named = { record_prefix: '', record_suffix: ' ', record_template: '{{.RayID}}', field_names: ['RayID'] }
const bound = (where: unknown) => JSON.stringify({ where: { and: [startsWith('b'), where] } })
/** The records with a b that a filter keeps. */
const keeps = (name: string, where: unknown, kept: string): Row => {
  const text = kept
    .split(' ')
    .filter(Boolean)
    .map(id => `"${id}" `)
    .join('')
  return { name, job: { filter: bound(where), output_options: named }, text: text === '' ? undefined : text }
}
const criterion = (key: string, operator: string, value: unknown) => ({ key, operator, value })
const X = criterion('ClientRequestHost', 'eq', 'shop.test')
const Y = criterion('ClientRequestPath', 'eq', '/a')
const Z = criterion('EdgeResponseStatus', 'eq', 403)

const filters: readonly Row[] = [
  keeps('4.7 one host', X, 'b1 b2'),
  keeps('4.7 bots below 30', { and: [criterion('BotScore', 'lt', '30')] }, 'b2 b4 b5 b6'),
  keeps(
    '4.7 errors, not health checks',
    {
      and: [
        criterion('EdgeResponseStatus', 'geq', 500),
        criterion('ClientRequestPath', '!startsWith', '/healthz'),
      ],
    },
    'b3',
  ),
  keeps('4.7 X and (Y or Z)', { and: [X, { or: [Y, Z] }] }, 'b1'),
  keeps('4.7 (X and Y) or Z', { or: [{ and: [X, Y] }, Z] }, 'b1 b4 b5'),
  keeps(
    '4.7 blocked or challenged',
    {
      or: [
        criterion('SecurityActions', 'contains', 'block'),
        criterion('SecurityActions', 'contains', 'managedChallenge'),
      ],
    },
    'b4 b5',
  ),
  keeps('4.7 two codes', criterion('EdgeResponseStatus', 'in', [502, 504]), 'b2 b3'),
  keeps(
    '4.7 neither of two',
    { and: [criterion('RayID', '!eq', 'b1'), criterion('RayID', '!eq', 'b2')] },
    'b3 b4 b5 b6',
  ),
  keeps(
    '4.7 not both of two',
    { or: [criterion('RayID', '!eq', 'b1'), criterion('RayID', '!eq', 'b2')] },
    'b1 b2 b3 b4 b5 b6',
  ),
  keeps(
    '4.3 text is compared with regard to case',
    criterion('ClientRequestHost', '!eq', 'shop.test'),
    'b3 b4 b5 b6',
  ),
  keeps(
    '4.3 contains of a text is a part of it',
    criterion('ClientRequestHost', 'contains', 'op.te'),
    'b1 b2',
  ),
  keeps('4.3 endsWith', criterion('ClientRequestHost', 'endsWith', '.test'), 'b1 b2 b3 b4'),
  keeps('4.3 !endsWith', criterion('ClientRequestHost', '!endsWith', '.test'), 'b5 b6'),
  keeps('4.3 contains of an array is an element', criterion('SecurityActions', 'contains', 'loc'), ''),
  keeps('4.3 !contains of an array', criterion('SecurityActions', '!contains', 'block'), 'b1 b2 b3 b5 b6'),
  keeps('4.3 in of an array shares an element', criterion('SecurityActions', 'in', ['block', 'x']), 'b4'),
  keeps(
    '4.3 !in of an array',
    criterion('SecurityActions', '!in', ['block', 'managedChallenge']),
    'b1 b2 b3 b6',
  ),
  keeps('4.3 in of a text', criterion('ClientRequestPath', 'in', ['/a', '/healthz']), 'b1 b2'),
  keeps('4.3 quoted numbers', criterion('EdgeResponseStatus', 'in', ['502', 504]), 'b2 b3'),
  keeps('4.3 leq', criterion('EdgeResponseStatus', 'leq', 200), 'b1 b6'),
  keeps('4.3 gt', criterion('EdgeResponseStatus', 'gt', 502), 'b3'),
  keeps('4.6 a missing text is empty', criterion('ClientRequestHost', 'eq', ''), 'b5 b6'),
  keeps('4.6 a missing number is 0', criterion('EdgeResponseStatus', 'eq', 0), 'b6'),
  keeps('4.6 a missing truth is false', criterion('CacheReserveUsed', 'eq', false), 'b1 b2 b3 b4 b5 b6'),
  keeps('4.6 a missing number is not another one', criterion('BotScore', '!in', [30, 29, 99]), 'b4 b5 b6'),
]

const sampled = (sample_rate: number): Row => ({
  name: `2.7 a sample of ${sample_rate} of what the filter keeps`,
  job: { filter: only('c'), output_options: { field_names: ['RayID'], sample_rate } },
  text: /^(\{"RayID":"c\d+"\}\n){120,280}$/,
})

const rows = [...assembly, ...values, ...templates, ...older, ...filters, sampled(0.5)]
const folderOf = (index: number) => join(bench.api.directory, `job-${index}`)

let bench: Bench
before(async () => {
  bench = await openBench()
  for (const [index, { name, job }] of [...rows, { name: 'the last', job: {} }].entries()) {
    const body = { ...job, destination_conf: `file://${folderOf(index)}/{DATE}`, enabled: true }
    const answer = await bench.api.send('POST', `${bench.api.zonePath}/logpush/jobs`, body)
    assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body.errors)}`)
  }
  bench.deliver()
  await bench.write(records)
  for (const [index, { text }] of rows.entries()) if (text !== undefined) await objectsIn(folderOf(index), 1)
  await objectsIn(folderOf(rows.length), 1)
})
after(() => bench.close())

/** Objects of a job, once there are this many; after a timeout, all there are. */
async function objectsIn(folder: string, count: number): Promise<{ name: string; text: string }[]> {
  for (let turn = 0; ; turn++) {
    const entries = await readdir(folder, { recursive: true }).catch(() => [])
    const names = entries.filter(name => name.endsWith('.log.gz')).sort()
    if (names.length >= count || turn === 500)
      return Promise.all(
        names.map(async name => ({
          name,
          text: gunzipSync(await readFile(join(folder, name))).toString('utf8'),
        })),
      )
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

for (const [index, { name, text }] of rows.entries())
  test(name, async () => {
    const objects = await objectsIn(folderOf(index), 0)
    assert.ok(objects.length <= 1, `${objects.length} objects`)
    const found = objects[0]?.text
    if (text instanceof RegExp) assert.match(found ?? '', text)
    else assert.equal(found, text)
  })

test('6.2 the names of objects', async () => {
  const [object] = await objectsIn(folderOf(0), 1)
  assert.match(object!.name, /^\d{8}\/(\d{8}T\d{6}Z)_\d{8}T\d{6}Z_[0-9a-f]{32}\.log\.gz$/)
})
