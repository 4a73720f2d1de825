import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, withoutSecrets } from '../../dashboard/src/features/logpush/destinations/kind.ts'
import {
  confOf,
  destinationKinds,
  formOf,
  kindById,
  maskedConf,
  shownDestination,
} from '../../dashboard/src/features/logpush/destinations/kinds.ts'
import { destinationNeedsOwnership, maskedDestination } from '../../src/logpush/index.ts'

const secret = 'S3cr3t+/=&x y'
const encodedSecret = 'S3cr3t%2B/%3D%26x%20y'

/** Form values besides the defaults, and the resulting text. */
const rows: readonly (readonly [kind: string, values: Record<string, string>, conf: string])[] = [
  ['s3', { bucket: 'logs', region: 'eu-west-1' }, 's3://logs/http/{DATE}?region=eu-west-1'],
  [
    's3',
    {
      bucket: 'logs',
      folder: '',
      region: 'eu-west-1',
      key: 'AK',
      secret,
      manifest: 'hourly',
      encryption: 'AES256',
    },
    `s3://logs?region=eu-west-1&access-key-id=AK&secret-access-key=${encodedSecret}&manifest=hourly&sse=AES256`,
  ],
  [
    's3-compatible',
    { bucket: 'logs', endpoint: 'http://127.0.0.1:4568', key: 'AK', secret, addressing: 'path' },
    `s3://logs/http/{DATE}?endpoint=http://127.0.0.1:4568&region=us-east-1&access-key-id=AK&secret-access-key=${encodedSecret}&addressing=path`,
  ],
  [
    'r2',
    { bucket: 'logs', account: '0a1b2c', key: 'AK', secret },
    `r2://logs/http/{DATE}?account-id=0a1b2c&access-key-id=AK&secret-access-key=${encodedSecret}`,
  ],
  ['gs', { bucket: 'logs', folder: 'a b/{HOUR}' }, 'gs://logs/a%20b/{HOUR}'],
  [
    'azure',
    { host: 'acc.blob.core.windows.net', container: 'logs', signature: '?sv=2024&sp=w&sr=c&sig=abc%2Bd' },
    'azure://acc.blob.core.windows.net/logs/http/{DATE}?sv=2024&sp=w&sr=c&sig=abc%2Bd',
  ],
  [
    'https',
    {
      address: 'in.test:8443/cf/',
      authorization: 'Bearer abc',
      headers: 'X-One: 1\nX-Two: a b',
      query: 'tags=env:prod',
    },
    'https://in.test:8443/cf/?header_Authorization=Bearer%20abc&header_X-One=1&header_X-Two=a%20b&tags=env:prod',
  ],
  [
    'https',
    { protocol: 'http', address: 'in.test', user: 'u', password: 'p@:/' },
    'http://u:p%40%3A%2F@in.test',
  ],
  [
    'splunk',
    { host: 'h:8088', token: 'T', channel: '5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab' },
    'splunk://h:8088/services/collector/raw?header_Authorization=Splunk%20T&channel=5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab&sourcetype=cloudflare:json',
  ],
  [
    'sentinelone',
    { host: 'h', token: 'T', endpoint: 'event', insecure: 'true' },
    'sentinelone://h/services/collector/event?header_Authorization=Bearer%20T&sourcetype=marketplace-cloudflare-latest&insecure-skip-verify=true',
  ],
  [
    'datadog',
    { key: 'K', service: 'shop', tags: 'env:prod,team:web' },
    'datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=K&ddsource=cloudflare&service=shop&ddtags=env:prod,team:web',
  ],
  ['newrelic', { key: 'K' }, 'https://log-api.newrelic.com/log/v1?Api-Key=K&format=cloudflare'],
  ['sumo', { host: 'e1.sumo.test', token: 'abc' }, 'sumo://e1.sumo.test/receiver/v1/http/abc'],
  [
    'elastic',
    { host: '[::1]:9200', index: 'logs', user: 'elastic', password: 'p', tls: 'false' },
    'elastic://elastic:p@[::1]:9200/logs?tls=false',
  ],
  [
    'elastic',
    { host: 'h:9200', index: 'logs', key: 'abc=' },
    'elastic://h:9200/logs?header_Authorization=ApiKey%20abc%3D',
  ],
  [
    'loki',
    { host: 'h:3100', labels: 'app: shop\nenv: prod', tenant: 'one' },
    'loki://h:3100?label_app=shop&label_env=prod&header_X-Scope-OrgID=one',
  ],
  [
    'kafka',
    { brokers: 'a:9092,b:9092', topic: 'logs', user: 'u', password: secret, sasl: 'SCRAM-SHA-512' },
    `kafka://u:S3cr3t%2B%2F%3D%26x%20y@a:9092,b:9092/logs?sasl=SCRAM-SHA-512`,
  ],
  ['file', { path: './data/logs/{DATE}' }, 'file:./data/logs/{DATE}'],
  ['file', { path: '/var/log/', manifest: 'hourly' }, 'file:///var/log?manifest=hourly'],
  ['stdout', {}, 'stdout://'],
  ['other', { conf: 'kinesis://stream?region=x' }, 'kinesis://stream?region=x'],
  // The first has no credentials.
  [
    'other',
    { conf: ' s3://logs/a?region=us-east-1&endpoint=minio.test ' },
    's3://logs/a?region=us-east-1&endpoint=minio.test',
  ],
  [
    'other',
    { conf: 's3://logs/a?region=us-east-1&access-key-id=A&secret-access-key=B&more=1' },
    's3://logs/a?region=us-east-1&access-key-id=A&secret-access-key=B&more=1',
  ],
]

function filled(id: string, values: Record<string, string>): Record<string, string> {
  const kind = kindById(id)
  return { ...Object.fromEntries(kind.fields.map(field => [field.name, field.value ?? ''])), ...values }
}

for (const [id, given, want] of rows)
  test(`${id}: ${want.slice(0, 60)}`, () => {
    const kind = kindById(id)
    const values = filled(id, given)
    assert.deepEqual(faultsOf(kind, values), {})
    const conf = confOf(kind, values)
    assert.equal(conf, want)

    // Sluice reads it as a destination, and asks for ownership exactly when the form does.
    if (id !== 'other') assert.notEqual(maskedDestination(conf).replace(/^[a-z0-9]+:\/\//, ''), '***')
    assert.equal(kind.needsOwnership?.(values) ?? false, destinationNeedsOwnership(conf))

    const form = formOf(conf)
    assert.equal(form.kind.id, id)
    assert.equal(confOf(form.kind, form.values), conf)

    const shown = `${maskedConf(kind, values)} ${JSON.stringify(withoutSecrets(kind, values))} ${JSON.stringify(shownDestination(conf))}`
    for (const { name, secret: isSecret } of kind.fields) {
      const value = isSecret ? (values[name] ?? '') : ''
      for (const part of value.split('\n').map(line => line.replace(/^X-\w+: /, '')))
        if (part.length > 2) assert.ok(!shown.includes(part), `${name} is shown: ${shown}`)
    }
  })

test('every kind has a row', () => {
  const tried = new Set(rows.map(([id]) => id))
  assert.deepEqual(
    destinationKinds.filter(({ id }) => !tried.has(id)).map(({ id }) => id),
    [],
  )
})

test('an explicit default reads as omitted', () => {
  const conf =
    'splunk://h/services/collector/raw?channel=5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab&insecure-skip-verify=false&sourcetype=x&header_authorization=Splunk%20T'
  const { kind, values } = formOf(conf)
  assert.equal(kind.id, 'splunk')
  assert.deepEqual([values['insecure'], values['token']], ['', 'T'])
})

test('a destination without a form stays as it is', () => {
  for (const conf of [
    's3://logs?region=eu-west-1&unknown=1',
    'datadog://h/v1/input/KEY',
    'loki://h?label_bad-name=1',
    'azure://h/c?sv=1',
    'nothing',
  ])
    assert.deepEqual(formOf(conf), { kind: kindById('other'), values: { conf } }, conf)
})

test('faults name the remedy', () => {
  assert.deepEqual(faultsOf(kindById('s3'), filled('s3', { bucket: 'A', key: 'AK' })), {
    bucket: 'Use 3 to 63 lower-case letters, digits, dots and hyphens',
    region: 'Required',
    secret: 'Enter both keys, or neither',
  })
  assert.match(
    faultsOf(kindById('loki'), filled('loki', { host: 'h', labels: 'a-b: 1' }))['labels']!,
    /label/,
  )
})

test('a list shows kind and location', () => {
  assert.deepEqual(shownDestination('s3://logs/http/{DATE}?region=x&access-key-id=A&secret-access-key=B'), {
    title: 'Amazon S3',
    where: 'logs/http/{DATE}',
  })
  assert.deepEqual(
    shownDestination('https://***@in.test/***?header_Authorization=***').title,
    'HTTP endpoint',
  )
  assert.deepEqual(shownDestination('datadog://h/v1/input/***'), { title: 'Datadog', where: 'h' })
  assert.equal(shownDestination('***').where, '')
})
