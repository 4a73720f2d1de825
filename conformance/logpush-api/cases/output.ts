import { type Case, codes, refused, taken } from '../case.ts'

/** Sections 2.1, 2.2 and 2.5: options of lines, and refused ones. The resulting lines are in delivered.test.ts. */

const pull = (logpull_options: string) => taken(`2.1 ${logpull_options}`, { logpull_options })
const badPull = (logpull_options: string, message = /./) =>
  refused(`2.1 refused: ${logpull_options}`, { logpull_options }, codes.field, '/logpull_options', message)

const logpullOptions: readonly Case[] = [
  ...['unixnano', 'unix', 'rfc3339'].map(form => pull(`fields=RayID&timestamps=${form}`)),
  ...['1', '0.01', '0.5', '1.0'].map(rate => pull(`sample=${rate}`)),
  pull('CVE-2021-44228=true&sample=0.1&timestamps=unix&fields=RayID,ClientIP'),
  pull('CVE-2021-44228=false'),
  pull('fields='),
  pull('fields=RayID&start=2018-07-10T01:00:00Z&end=1531185000&count=1'),
  pull('https://api.cloudflare.com/client/v4/zones/x/logs/received?fields=RayID&timestamps=rfc3339'),
  badPull('fields=RayID,NoSuchField', /NoSuchField/),
  badPull('fields=RayID, ClientIP'),
  badPull('fields=rayid', /RayID/),
  badPull('timestamps=rfc3339ms'),
  badPull('timestamps='),
  ...['0', '1.1', '-0.1', 'x', ''].map(rate => badPull(`sample=${rate}`)),
  badPull('CVE-2021-44228=yes'),
  badPull('colour=red', /colour/),
  taken('2.1 options beside output_options are ignored', {
    logpull_options: 'fields=NoSuchField',
    output_options: { field_names: ['RayID'] },
  }),
]

const takes = (options: object) =>
  taken(`2.2 ${JSON.stringify(options).slice(0, 80)}`, { output_options: options })
const refuses = (options: Readonly<Record<string, unknown>>, below = `/${Object.keys(options)[0]}`) =>
  refused(
    `2.2 refused: ${JSON.stringify(options).slice(0, 80)}`,
    { output_options: options },
    codes.field,
    `/output_options${below}`,
  )

const texts = [
  'batch_prefix',
  'batch_suffix',
  'record_prefix',
  'record_suffix',
  'record_delimiter',
  'field_delimiter',
  'record_template',
]

const outputOptions: readonly Case[] = [
  ...texts.flatMap(key => [
    ...['', 'text', '\t\n"', null].map(value => takes({ [key]: value })),
    ...[1, true, ['x']].map(value => refuses({ [key]: value })),
  ]),
  ...['ndjson', 'csv', 'parquet'].map(output_type => takes({ output_type })),
  ...['json', 'CSV', 1].map(output_type => refuses({ output_type })),
  ...['unixnano', 'unix', 'rfc3339', 'rfc3339ms', 'rfc3339ns'].map(form => takes({ timestamp_format: form })),
  ...['rfc3339us', 'RFC3339', '', 1].map(form => refuses({ timestamp_format: form })),
  ...[1, 0.01, 0.000001, null].map(sample_rate => takes({ sample_rate })),
  ...[0, -0.1, 1.01, '0.5'].map(sample_rate => refuses({ sample_rate })),
  ...[true, false, null].flatMap(flag => [
    takes({ 'CVE-2021-44228': flag }),
    takes({ 'CVE-2021-4428': flag }),
    takes({ merge_subrequests: flag }),
  ]),
  ...['true', 1].flatMap(flag => [refuses({ 'CVE-2021-44228': flag }), refuses({ merge_subrequests: flag })]),
  refused(
    '2.6 merge_subrequests is for http_requests',
    { dataset: 'firewall_events', output_options: { merge_subrequests: true } },
    codes.field,
    '/output_options/merge_subrequests',
  ),
  takes({ field_names: [] }),
  takes({ field_names: ['RayID'] }),
  refuses({ field_names: 'RayID' }),
  refuses({ field_names: [1] }),
  refuses({ field_names: ['RayID', 'NoSuchField'] }, '/field_names/1'),
  refuses({ field_names: [' RayID'] }, '/field_names/0'),
  refused(
    '2.2 a field of another dataset',
    { dataset: 'firewall_events', output_options: { field_names: ['ClientRequestURI'] } },
    codes.field,
    '/output_options/field_names/0',
  ),
  refuses({ stringify_object: true }),
  refuses({ colour: 1 }),
  refuses({ 'a/b': 1 }, '/a~1b'),
]

const template = (record_template: string) => takes({ record_template })
const badTemplate = (record_template: string) => refuses({ record_template })

const templates: readonly Case[] = [
  ...[
    '{{ .RayID }}',
    '{{.RayID}}',
    '{{.NoSuchField}}',
    '{{ "{" }}"id":{{.RayID}}{{ "}" }}',
    '{{`{`}}',
    '{{/* nothing */}}',
    '{{"\\u007b\\t"}}',
    'text } }} {',
  ].map(template),
  ...[
    '{{',
    '{{ .RayID',
    '{{ .RayID }',
    '{{ . }}',
    '{{}}',
    '{{if .RayID}}x{{end}}',
    '{{range .RayID}}{{end}}',
    '{{.RayID | printf "%s"}}',
    '{{template "x"}}',
    '{{len .RayID}}',
    '{{.A.B}}',
    '{{$x}}',
    '{{- .RayID -}}',
    '{{ "open }}',
    '{{/* open }}',
  ].map(badTemplate),
]

export const outputCases = [...logpullOptions, ...outputOptions, ...templates]
