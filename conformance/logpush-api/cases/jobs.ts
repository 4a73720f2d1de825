import { type Case, codes, create, Exactly, folder, job, jobs, refused, taken } from '../case.ts'

/**
 * Section 1.3: the members of a job, one by one; the effects of a change on them; and the absence of Terraform drift.
 */

const nothing = {
  dataset: 'http_requests',
  enabled: false,
  filter: '',
  frequency: 'high',
  kind: '',
  logpull_options: '',
  name: '',
  max_upload_bytes: 0,
  max_upload_interval_seconds: 0,
  max_upload_records: 0,
}
const healthy = { last_complete: null, last_error: null, error_message: null }

const whole: readonly Case[] = [
  {
    name: '1.3 the example',
    request: create({
      dataset: 'http_requests',
      enabled: true,
      name: 'shop',
      output_options: { field_names: ['RayID', 'ClientIP'], timestamp_format: 'rfc3339' },
    }),
    result: new Exactly({
      id: '<next>',
      dataset: 'http_requests',
      kind: '',
      enabled: true,
      name: 'shop',
      destination_conf: folder,
      frequency: 'high',
      logpull_options: null,
      filter: '',
      output_options: { field_names: ['RayID', 'ClientIP'], timestamp_format: 'rfc3339' },
      max_upload_bytes: null,
      max_upload_interval_seconds: null,
      max_upload_records: null,
      ...healthy,
    }),
  },
  {
    name: '1.3 the least that can be said',
    request: create(),
    result: {
      dataset: 'http_requests',
      enabled: false,
      kind: '',
      frequency: 'high',
      output_options: null,
      filter_attack_traffic: undefined,
      ownership_challenge: undefined,
      ...healthy,
    },
  },
  taken('1.3 the post of Terraform for a minimal resource', nothing),
  taken('1.3 the members that Terraform adds with output options', {
    ...nothing,
    output_options: { 'CVE-2021-44228': false, field_names: ['RayID'] },
  }),
  {
    name: '1.3 ids rise',
    given: [create()],
    request: create(),
    result: { id: '<next>' },
  },
  {
    name: '1.3 an id never comes again',
    given: [create(), ['DELETE', job]],
    request: create(),
    result: { id: '<next>' },
  },
  {
    name: '1.3 a delete answers with the id',
    given: [create()],
    request: ['DELETE', job],
    result: new Exactly({ id: '<job>' }),
  },
  {
    name: '1.3 the jobs of a dataset',
    given: [create({ name: 'a' }), create({ name: 'b', dataset: 'firewall_events' })],
    request: ['GET', '/<scope>/logpush/datasets/firewall_events/jobs'],
    result: [{ name: 'b', dataset: 'firewall_events' }],
  },
]

const long = 'x'.repeat(512)
const conf = (characters: number) => `file:///tmp/${'x'.repeat(characters - 12)}`

const members: readonly Case[] = [
  refused('1.3 no destination', { destination_conf: undefined }, codes.destination, '/destination_conf'),
  refused('1.3 an empty destination', { destination_conf: '' }, codes.destination, '/destination_conf'),
  refused('1.3 a destination that is null', { destination_conf: null }, codes.field, '/destination_conf'),
  refused(
    '1.3 a destination of 4097 characters',
    { destination_conf: conf(4097) },
    codes.field,
    '/destination_conf',
  ),
  // Its name is too long for a directory, which shows only on use.
  refused(
    '1.3 a destination of 4096 characters',
    { destination_conf: conf(4096) },
    codes.destination,
    '/destination_conf',
    /error validating destination/,
  ),
  ...['', 'shop', 'shop.test-1', 'snake_case', long].map(name =>
    taken(`1.3 the name ${name.slice(0, 12)}`, { name }),
  ),
  ...['two words', 'ü', `${long}x`, 'a/b', 1].map(name =>
    refused(
      `1.3 the name ${String(name).slice(0, 12)} ${String(name).length}`,
      { name },
      codes.field,
      '/name',
    ),
  ),
  {
    name: '1.3 names are not unique',
    given: [create({ name: 'a' })],
    request: create({ name: 'a' }),
    result: { name: 'a' },
  },
  taken('1.3 enabled', { enabled: true }),
  taken('1.3 disabled', { enabled: false }),
  ...['true', 1, null].map(enabled =>
    refused(`1.3 enabled ${JSON.stringify(enabled)}`, { enabled }, codes.field, '/enabled'),
  ),
  ...['high', 'low'].map(frequency => taken(`1.3 frequency ${frequency}`, { frequency })),
  ...['HIGH', 'medium', ''].map(frequency =>
    refused(`1.3 frequency ${frequency}`, { frequency }, codes.field, '/frequency'),
  ),
  ...['', 'edge'].map(kind => taken(`1.3 kind ${kind}`, { kind })),
  ...['instant-logs', 'EDGE'].map(kind => refused(`1.3 kind ${kind}`, { kind }, codes.field, '/kind')),
  refused(
    '6.1 kind edge is for http_requests',
    { kind: 'edge', dataset: 'firewall_events' },
    codes.notAllowed,
    '/kind',
  ),
  ...[true, false].map(filter_attack_traffic =>
    taken(`1.3 filter_attack_traffic ${filter_attack_traffic}`, { filter_attack_traffic }),
  ),
  taken('1.3 filter_attack_traffic of firewall_events', {
    dataset: 'firewall_events',
    filter_attack_traffic: true,
  }),
  refused(
    '1.3 filter_attack_traffic of audit_logs',
    { dataset: 'audit_logs', filter_attack_traffic: true },
    codes.notAllowed,
    '/filter_attack_traffic',
    /./,
    'account',
  ),
  refused(
    '1.3 filter_attack_traffic as text',
    { filter_attack_traffic: 'true' },
    codes.field,
    '/filter_attack_traffic',
  ),
  ...(
    [
      ['max_upload_bytes', 5_000_000, 1_000_000_000],
      ['max_upload_interval_seconds', 30, 300],
      ['max_upload_records', 1_000, 1_000_000],
    ] as const
  ).flatMap(([key, least, most]): readonly Case[] => [
    ...[0, null, least, most].map(value => taken(`1.3 ${key} ${value}`, { [key]: value })),
    ...[least - 1, most + 1, -1, least + 0.5, String(least)].map(value =>
      refused(`1.3 ${key} ${JSON.stringify(value)}`, { [key]: value }, codes.field, `/${key}`),
    ),
  ]),
  ...[null, ''].map(filter => ({
    name: `1.3 filter ${JSON.stringify(filter)}`,
    request: create({ filter }),
    result: { filter: '' },
  })),
  taken('1.3 a filter is echoed byte for byte', {
    filter: ' {"where" : {"key":"ClientIP","operator":"eq","value":"\\u0061\\t"}}\n',
  }),
  refused('4.1 a filter that is an object', { filter: { where: {} } }, codes.field, '/filter'),
  ...[null, ''].map(logpull_options =>
    taken(`1.3 logpull_options ${JSON.stringify(logpull_options)}`, { logpull_options }),
  ),
  refused(
    '1.3 logpull_options of 4097 characters',
    { logpull_options: 'x'.repeat(4097) },
    codes.field,
    '/logpull_options',
  ),
  taken('1.3 output_options null', { output_options: null }),
  ...[[], 'x', 1].map(output_options =>
    refused(
      `1.3 output_options ${JSON.stringify(output_options)}`,
      { output_options },
      codes.field,
      '/output_options',
    ),
  ),
  {
    name: '1.3 a challenge without a request is accepted, and not returned',
    request: create({ ownership_challenge: 'aA0/+.-_' }),
    result: { ownership_challenge: undefined },
  },
  refused('1.3 a challenge that is no text', { ownership_challenge: 1 }, codes.field, '/ownership_challenge'),
  refused(
    '1.3 a challenge of 4097 characters',
    { ownership_challenge: 'x'.repeat(4097) },
    codes.field,
    '/ownership_challenge',
  ),
  refused('1.3 an unknown key', { colour: 'red' }, codes.field, '/colour', /colour/),
  refused('1.3 an id', { id: 7 }, codes.field, '/id'),
]

const filter = '{"where":{"key":"ClientRequestPath","operator":"eq","value":"/search"}}'
const full = {
  name: 'shop',
  enabled: true,
  filter,
  frequency: 'low',
  kind: 'edge',
  logpull_options: 'fields=RayID',
  output_options: { field_names: ['RayID'], record_prefix: '' },
  filter_attack_traffic: true,
  max_upload_bytes: 5_000_000,
  max_upload_interval_seconds: 30,
  max_upload_records: 1_000,
} as const

/** Members that a change keeps, and members that it changes. */
function changes(name: string, change: object, result: object = change): Case {
  const { output_options, ...rest } = { ...full, ...result }
  const options = output_options === null ? null : new Exactly(output_options)
  return {
    name,
    given: [create(full)],
    request: ['PUT', job, change],
    result: { destination_conf: folder, ...rest, output_options: options },
  }
}

const cannot = (name: string, change: object, code: number, pointer: string): Case => ({
  name,
  given: [create(full)],
  request: ['PUT', job, change],
  status: 400,
  error: [code, /./, pointer],
})

const updates: readonly Case[] = [
  changes('1.3 PUT of nothing', {}),
  changes('1.3 PUT of enabled alone', { enabled: false }),
  changes('1.3 PUT of the name', { name: 'other_name' }),
  changes('1.3 PUT of the frequency', { frequency: 'high' }),
  changes('1.3 PUT of a filter', { filter: filter.replace('search', 'find') }),
  changes('1.3 PUT of an empty filter, as Terraform removes it', { filter: '' }),
  changes('1.3 PUT of logpull_options', { logpull_options: 'timestamps=unix' }),
  changes('1.3 PUT of limits', {
    max_upload_bytes: 0,
    max_upload_interval_seconds: 300,
    max_upload_records: 0,
  }),
  changes('1.3 PUT replaces output_options as a whole', { output_options: { record_suffix: '\n' } }),
  changes('1.3 PUT of output_options without members', { output_options: {} }),
  changes('1.3 PUT of null clears optional members', {
    output_options: null,
    logpull_options: null,
    max_upload_bytes: null,
    max_upload_interval_seconds: null,
    max_upload_records: null,
  }),
  changes('1.3 PUT of null clears the filter', { filter: null }, { filter: '' }),
  changes('1.3 PUT of null clears the name', { name: null }, { name: '' }),
  changes(
    '1.3 PUT of null takes filter_attack_traffic away',
    { filter_attack_traffic: null },
    { filter_attack_traffic: undefined },
  ),
  changes('1.3 PUT of the same dataset and kind', { dataset: 'http_requests', kind: 'edge' }),
  changes('1.3 PUT of another destination', { destination_conf: 'file://<folder>/elsewhere/{DATE}' }),
  changes('1.3 PUT of the whole job', full),
  cannot('1.3 PUT of another dataset', { dataset: 'firewall_events' }, codes.fixed, '/dataset'),
  cannot('1.3 PUT of another kind', { kind: '' }, codes.fixed, '/kind'),
  cannot('1.3 PUT of an id', { id: 7 }, codes.field, '/id'),
  cannot('1.3 PUT of a scope', { zone_id: 'x' }, codes.field, '/zone_id'),
  cannot('1.3 PUT of an unknown key', { colour: 1 }, codes.field, '/colour'),
  cannot('1.3 PUT of a bad filter', { filter: '{' }, codes.filter, '/filter'),
  cannot(
    '1.3 PUT of a bad destination',
    { destination_conf: 'x://y' },
    codes.destination,
    '/destination_conf',
  ),
  cannot(
    '1.3 PUT of a destination that cannot be written',
    { destination_conf: 'file:///proc/x', enabled: false },
    codes.destination,
    '/destination_conf',
  ),
  cannot('1.3 PUT of enabled null', { enabled: null }, codes.field, '/enabled'),
  {
    name: '1.3 PUT is kept',
    given: [create(full), ['PUT', job, { name: 'b', output_options: { field_names: [] } }]],
    request: ['GET', job],
    result: { ...full, name: 'b', output_options: new Exactly({ field_names: [] }) },
  },
  {
    name: '1.3 PUT of the whole job as it was read',
    given: [create(full), ['PUT', job, { ...full, dataset: 'http_requests', destination_conf: folder }]],
    request: ['GET', job],
    result: { ...full, output_options: new Exactly(full.output_options) },
  },
]

/** A read returns the written value. */
function echoed(name: string, more: Readonly<Record<string, unknown>>): Case {
  return { ...taken(name, more), given: [create(more)], request: ['GET', job] }
}
const options = (name: string, output_options: object) => echoed(name, { output_options })

const roundTrip: readonly Case[] = [
  echoed('1.3 round trip: all of it', full),
  options('1.3 round trip: no defaults are added', { field_names: ['RayID'] }),
  options('1.3 round trip: no members', {}),
  options('1.3 round trip: empty texts', {
    batch_prefix: '',
    batch_suffix: '',
    record_prefix: '',
    record_suffix: '',
    record_delimiter: '',
    record_template: '',
  }),
  options('1.3 round trip: nulls', { field_names: null, batch_prefix: null, sample_rate: null }),
  options('1.3 round trip: the order of members and names', {
    timestamp_format: 'unix',
    output_type: 'csv',
    field_names: ['RayID', 'ClientIP', 'ClientASN'],
  }),
  options('1.3 round trip: a name twice', { field_names: ['RayID', 'RayID'] }),
  options('1.3 round trip: escapes', {
    record_delimiter: '\t',
    record_suffix: '\r\n"\\\u0000\u2028é',
    batch_prefix: '<&>',
  }),
  options('1.3 round trip: the form of numbers', { sample_rate: 0.01 }),
  options('1.3 round trip: the flag that is off', { 'CVE-2021-44228': false }),
  options('1.3 round trip: a template with a field that is not named', {
    field_names: ['RayID'],
    record_template: '{{.RayID}} {{.ClientIP}} {{.NoSuchField}}',
  }),
  echoed('1.3 round trip: both kinds of options', {
    logpull_options: 'fields=RayID&timestamps=rfc3339',
    output_options: { field_names: ['ClientIP'], timestamp_format: 'unix' },
  }),
  echoed('1.3 round trip: one kind of options makes no other', {
    logpull_options: 'fields=RayID',
    output_options: null,
  }),
  echoed('1.3 round trip: the other kind neither', {
    logpull_options: null,
    output_options: { field_names: ['RayID'] },
  }),
  echoed('1.3 round trip: zeros', nothing),
  {
    name: '1.3 a refused job is not kept',
    request: ['POST', jobs, { destination_conf: folder, filter: '{' }],
    status: 400,
    error: [codes.filter, /./],
  },
]

export const jobCases = [...whole, ...members, ...updates, ...roundTrip]
