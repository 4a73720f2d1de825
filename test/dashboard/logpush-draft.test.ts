import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogpushJob } from '../../dashboard/src/api/types.ts'
import {
  challengeOf,
  changeOf,
  creationOf,
  draftOf,
  emptyDraft,
} from '../../dashboard/src/features/logpush/draft.ts'
import {
  changed,
  type EditedCriterion,
  type EditedGroup,
  editedFrom,
  newCriterion,
  newGroup,
  operatorsFor,
  stateOfText,
  stateOfTree,
  withField,
  withOperator,
} from '../../dashboard/src/features/logpush/filter/edited.ts'
import { firewallEvents } from '../../src/model/datasets/firewall-events.ts'
import { httpRequests } from '../../src/model/datasets/http-requests.ts'

const criterion = (
  key: string,
  operator: EditedCriterion['operator'],
  ...values: string[]
): EditedCriterion => ({
  ...newCriterion(),
  key,
  operator,
  values,
})

test('an edited filter is written as JSON', () => {
  const path = criterion('ClientRequestPath', 'startsWith', '/api')
  const rows: readonly (readonly [EditedGroup, string])[] = [
    [newGroup(), ''],
    [newGroup('and', [newGroup('or')]), ''],
    [newGroup('and', [path]), '{"where":{"key":"ClientRequestPath","operator":"startsWith","value":"/api"}}'],
    [
      newGroup('or', [path, newGroup('and'), criterion('EdgeResponseStatus', 'in', '502', '504')]),
      '{"where":{"or":[{"key":"ClientRequestPath","operator":"startsWith","value":"/api"},{"key":"EdgeResponseStatus","operator":"in","value":[502,504]}]}}',
    ],
    [
      newGroup('and', [criterion('EdgeStartTimestamp', 'geq', ' 1777593600000000001 ')]),
      '{"where":{"key":"EdgeStartTimestamp","operator":"geq","value":"1777593600000000001"}}',
    ],
    [
      newGroup('and', [criterion('BotDetectionIDs', 'contains', '7')]),
      '{"where":{"key":"BotDetectionIDs","operator":"contains","value":7}}',
    ],
    [
      newGroup('and', [criterion('CacheReserveUsed', 'eq', 'true')]),
      '{"where":{"key":"CacheReserveUsed","operator":"eq","value":true}}',
    ],
  ]
  for (const [tree, want] of rows) {
    const state = stateOfTree(tree, httpRequests)
    assert.equal(state.text, want)
    assert.equal(state.fault, undefined, want)
    // Reading it again gives the same filter.
    assert.equal(stateOfTree(editedFrom(want)!, httpRequests).text, want)
  }
})

test('a fault names its condition and part', () => {
  const good = criterion('ClientRequestHost', 'eq', 'a')
  for (const [bad, part, message] of [
    [criterion('', 'eq', ''), 'key', /^Select a field$/],
    [criterion('EdgeResponseStatus', 'eq', 'many'), 'value', /is a number/],
    [criterion('EdgeResponseStatus', 'startsWith', '5'), 'operator', /is not for EdgeResponseStatus/],
    [criterion('ClientCountry', 'in'), 'value', /array is empty/],
  ] as const) {
    const tree = newGroup('and', [good, newGroup('or', [good, bad])])
    const { fault } = stateOfTree(tree, httpRequests)
    assert.equal(fault?.node, bad.id)
    assert.equal(fault?.part, part)
    assert.match(fault!.message, message)
  }
  const many = newGroup(
    'and',
    Array.from({ length: 30 }, () => criterion('ClientCountry', 'eq', 'x')),
  )
  assert.match(stateOfTree(many, httpRequests).fault!.message, /bytes|operators/)
})

test('an invalid filter stays text', () => {
  assert.equal(editedFrom('{"where":'), undefined)
  assert.match(stateOfText('{"where":', httpRequests).fault!.message, /^The filter is not JSON/)
  assert.equal(stateOfText('{"where":{}}', httpRequests).fault!.pointer, '/where')
})

test('changing the field keeps valid operators and values', () => {
  const before = criterion('ClientRequestPath', 'startsWith', '/a')
  assert.deepEqual(withField(before, 'ClientRequestHost', httpRequests).operator, 'startsWith')
  assert.deepEqual(withField(before, 'EdgeResponseStatus', httpRequests).operator, 'eq')
  assert.deepEqual(withOperator(before, 'in').values, ['/a'])
  assert.deepEqual(withOperator(withOperator(before, 'in'), 'eq').values, ['/a'])
  assert.deepEqual(operatorsFor(firewallEvents, 'Action'), [])
})

test('nodes are changed and removed in their position', () => {
  const [one, two] = [criterion('RayID', 'eq', '1'), criterion('RayID', 'eq', '2')]
  const tree = newGroup('and', [one, newGroup('or', [two])])
  assert.equal(changed(tree, two.id, () => undefined).nodes.length, 2)
  assert.deepEqual(
    changed(tree, one.id, () => undefined).nodes.map(({ kind }) => kind),
    ['or'],
  )
  assert.deepEqual(changed(tree, tree.id, () => undefined).nodes, [])
})

const job: LogpushJob = {
  id: 1,
  dataset: 'http_requests',
  name: 'shop',
  enabled: true,
  kind: '',
  frequency: 'high',
  destination_conf: 's3://logs/{DATE}?access-key-id=A&secret-access-key=B&region=eu-west-1',
  logpull_options: null,
  output_options: { field_names: ['RayID'], batch_prefix: '', sample_rate: 0.01, 'CVE-2021-44228': false },
  filter: '{ "where": {"key":"ClientRequestHost","operator":"eq","value":"shop.test"} }',
  max_upload_bytes: 0,
  max_upload_interval_seconds: 60,
  max_upload_records: null,
  last_complete: null,
  last_error: null,
  error_message: null,
}

const textOf = (draft: ReturnType<typeof draftOf>) => stateOfTree(draft.filter, httpRequests).text

test('an unchanged job is written with nothing, regardless of its spelling', () => {
  for (const one of [
    job,
    { ...job, output_options: null, logpull_options: 'fields=RayID,ClientIP&timestamps=rfc3339&sample=0.5' },
    { ...job, output_options: null, logpull_options: null, filter: null },
  ]) {
    const draft = draftOf(one, httpRequests.defaultFields)
    assert.deepEqual(changeOf(draft, textOf(draft), draft, textOf(draft)), {})
  }
})

test('only changed members are written', () => {
  const before = draftOf(job, httpRequests.defaultFields)
  const write = (part: Partial<typeof before>) => {
    const after = { ...before, ...part }
    return changeOf(before, textOf(before), after, textOf(after))
  }
  assert.deepEqual(write({ seconds: '' }), { max_upload_interval_seconds: 0 })
  assert.deepEqual(write({ fields: ['RayID', 'ClientIP'] }), {
    output_options: { ...job.output_options, field_names: ['RayID', 'ClientIP'] },
  })
  assert.deepEqual(write({ filter: newGroup() }), { filter: '' })
  const values = { s3: { ...before.values['s3'], bucket: 'other' } }
  assert.deepEqual(Object.keys(write({ values, challenge: ' token ' })), [
    'destination_conf',
    'ownership_challenge',
  ])
  // An unchanged destination needs no challenge.
  assert.deepEqual(write({ challenge: 'token' }), {})
})

test('the challenge may be wrapped in a message', () => {
  for (const [challenge, want] of [
    ['', ''],
    [' a.b.c\n', 'a.b.c'],
    ['{"content":"a.b.c"}\n', 'a.b.c'],
    [' { "content": "a.b.c" }', 'a.b.c'],
    ['{"other":"a.b.c"}', '{"other":"a.b.c"}'],
  ] as const)
    assert.equal(challengeOf({ challenge }), want)
  const draft = { ...emptyDraft('http_requests', ['RayID']), challenge: '{"content":"a.b.c"}' }
  assert.equal(creationOf(draft, '').ownership_challenge, 'a.b.c')
})

test('older options are read', () => {
  const logpull_options =
    'https://x/received?fields=RayID,ClientIP&timestamps=unix&sample=0.5&CVE-2021-44228=true'
  const draft = draftOf({ ...job, output_options: null, logpull_options }, httpRequests.defaultFields)
  assert.deepEqual(draft.fields, ['RayID', 'ClientIP'])
  assert.deepEqual(draft.options, { timestamp_format: 'unix', sample_rate: 0.5, 'CVE-2021-44228': true })
})

test('a new job omits defaults', () => {
  const draft = {
    ...emptyDraft('http_requests', ['RayID']),
    kind: 'file',
    values: { file: { path: './logs' } },
  }
  assert.deepEqual(creationOf(draft, ''), {
    dataset: 'http_requests',
    enabled: true,
    destination_conf: 'file:./logs',
    output_options: { field_names: ['RayID'], timestamp_format: 'rfc3339' },
  })
  const full = {
    ...draft,
    name: ' n ',
    seconds: '60',
    frequency: 'low' as const,
    start: '2026-05-01T10:00:00Z',
    challenge: 'c',
  }
  assert.deepEqual(creationOf(full, '{}'), {
    name: 'n',
    dataset: 'http_requests',
    enabled: true,
    destination_conf: 'file:./logs',
    output_options: { field_names: ['RayID'], timestamp_format: 'rfc3339' },
    filter: '{}',
    frequency: 'low',
    max_upload_interval_seconds: 60,
    ownership_challenge: 'c',
    start: '2026-05-01T10:00:00.000Z',
  })
})
