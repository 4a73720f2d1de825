import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedDestination } from './destination.ts'
import { parseDestination } from './table.ts'

const key = '0123456789abcdef0123456789abcdef'
const channel = '5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab'
const collector = '/services/collector/raw'

/** Texts with secrets have `S` wherever one stands, or `S` with something before and behind it. */
const rows: readonly (readonly [text: string, masked: string])[] = [
  [
    's3://logs/http/{DATE}/{HOUR}?region=eu-west-1&access-key-id=AKIAS&secret-access-key=S/S%2BS&endpoint=s3.example.com&sse=AES256&addressing=path&manifest=hourly',
    's3://logs/http/{DATE}/{HOUR}?region=eu-west-1&access-key-id=***&secret-access-key=***&endpoint=s3.example.com&sse=AES256&addressing=path&manifest=hourly',
  ],
  ['s3://logs?region=eu-west-1', 's3://logs?region=eu-west-1'],
  [
    'r2://logs/a?account-id=0a1b&access-key-id=S&secret-access-key=S',
    'r2://logs/a?account-id=0a1b&access-key-id=***&secret-access-key=***',
  ],
  ['gs://logs/a/{DATE}?manifest=hourly', 'gs://logs/a/{DATE}?manifest=hourly'],
  [
    'azure://a.blob.core.windows.net/c/f?sv=2021-08-06&ss=b&srt=o&sp=w&se=2001-01-01T00:00:00Z&skoid=S&sig=S%2B%3D',
    'azure://a.blob.core.windows.net/c/f?sv=2021-08-06&ss=b&srt=o&sp=w&se=2001-01-01T00:00:00Z&skoid=***&sig=***',
  ],
  [
    'https://in.test/cf?header_Authorization=Basic%20S&header_X-Team=S&tags=env:prod&key=S&label=S&S&S==',
    'https://in.test/cf?header_Authorization=***&header_X-Team=***&tags=env:prod&key=***&label=***&***&***',
  ],
  ['https://S:S@in.test:8443/a', 'https://***@in.test:8443/a'],
  ['http://S@in.test', 'http://***@in.test'],
  [
    'https://hooks.test/services/T0/S0000000000x/SSSSSSSSSSSSSSSSSSSS/in',
    'https://hooks.test/services/T0/***/***/in',
  ],
  [
    `https://log-api.newrelic.com/log/v1?Api-Key=S${key}&format=cloudflare`,
    'https://log-api.newrelic.com/log/v1?Api-Key=***&format=cloudflare',
  ],
  [
    'newrelic://log.test/log/v1?Api-Key=S&format=cloudflare',
    'newrelic://log.test/log/v1?Api-Key=***&format=cloudflare',
  ],
  [
    `datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=S&ddsource=cloudflare&service=shop&hostname=h&ddtags=env:prod`,
    'datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=***&ddsource=cloudflare&service=shop&hostname=h&ddtags=env:prod',
  ],
  [
    'datadog://http-intake.logs.datadoghq.com/v1/input/S?service=shop',
    'datadog://http-intake.logs.datadoghq.com/v1/input/***?service=shop',
  ],
  [
    `splunk://h.test:8088${collector}?channel=${channel}&insecure-skip-verify=false&sourcetype=cloudflare:json&header_Authorization=Splunk%20S`,
    `splunk://h.test:8088${collector}?channel=***&insecure-skip-verify=false&sourcetype=cloudflare:json&header_Authorization=***`,
  ],
  [
    `sentinelone://h.test${collector}?sourcetype=json&header_Authorization=Bearer%20S`,
    `sentinelone://h.test${collector}?sourcetype=json&header_Authorization=***`,
  ],
  ['sumo://c.sumologic.com/receiver/v1/http/S', 'sumo://c.sumologic.com/receiver/v1/http/***'],
  ['elastic://S:S@h.test:9200/logs?tls=false', 'elastic://***@h.test:9200/logs?tls=false'],
  [
    'elastic://h.test:9200/logs?header_Authorization=ApiKey%20S',
    'elastic://h.test:9200/logs?header_Authorization=***',
  ],
  [
    'loki://S:S@h.test?label_app=shop&header_X-Scope-OrgID=S',
    'loki://***@h.test?label_app=shop&header_X-Scope-OrgID=***',
  ],
  [
    'kafka://S:S@a.test:9092,b.test:9092/logs?sasl=scram-sha-512&tls=false',
    'kafka://***@a.test:9092,b.test:9092/logs?sasl=scram-sha-512&tls=false',
  ],
  ['file:///var/log/{DATE}?manifest=hourly', 'file:///var/log/{DATE}?manifest=hourly'],
  ['file:./logs', 'file:./logs'],
  ['stdout://', 'stdout://'],
]

test('the visible parts of a destination', () => {
  for (const [text, masked] of rows) {
    assert.ok(parseDestination(text).ok, text)
    assert.equal(maskedDestination(text), masked)
    assert.doesNotMatch(masked, /S{2}|=S|\/S|:S/, 'the row')
  }
})

test('of an invalid destination, at most the scheme is shown', () => {
  const rows: [text: string, masked: string][] = [
    ['s3://logs/a?access-key-id=S', 's3://***'],
    ['kinesis://S:S@stream', 'kinesis://***'],
    ['https:///S:S@in.test/', 'https://***'],
    ['https://S:S@in.test#S', 'https://***'],
    [`https://in.test/${'S'.repeat(5000)}`, 'https://***'],
    ['SECRET://a', '***'],
    ['S', '***'],
    ['', '***'],
    ['\u0000', '***'],
  ]
  for (const [text, masked] of rows) {
    assert.ok(!parseDestination(text).ok, text)
    assert.equal(maskedDestination(text), masked)
  }
})

test('object stores list their objects in manifests when asked to; for others the parameter is not ours', () => {
  const sas = 'sv=1&sp=w&sig=a'
  const r2 = 'account-id=a&access-key-id=k&secret-access-key=s'
  const manifests = (text: string) => {
    const target = parseDestination(text)
    return target.ok ? target.value.manifest : undefined
  }
  for (const text of [
    's3://logs?region=r',
    `r2://logs?${r2}`,
    'gs://logs?',
    `azure://h/c?${sas}`,
    'file:///a?',
    'file:./a?',
  ]) {
    assert.equal(manifests(text), false, text)
    assert.equal(manifests(`${text}&manifest=hourly`.replace('?&', '?')), true, text)
    assert.equal(manifests(`${text}&manifest=daily`.replace('?&', '?')), undefined, text)
  }
  assert.equal(manifests('https://in.test/?manifest=hourly'), false)
  assert.equal(manifests('kafka://a:1/t?manifest=hourly'), undefined)
  assert.equal(manifests('stdout://?manifest=hourly'), undefined)
})

test('an unknown destination is refused with a list of the known ones', () => {
  for (const text of ['kinesis://stream?region=r', 'bq://projects/p', 'ibmcl://h', 'nothing']) {
    const refused = parseDestination(text)
    assert.ok(!refused.ok && /possible are s3:\/\/, r2:\/\/, gs:\/\//.test(refused.problem.message), text)
  }
})

test('{DATE} and {HOUR} may be in the folder of every object store, even encoded', () => {
  const folders = [
    's3://logs/a/{DATE}/{HOUR}?region=r',
    's3://logs/a/%7BDATE%7D/%7BHOUR%7D/?region=r',
    'r2://logs/a/{DATE}/{HOUR}?account-id=a&access-key-id=k&secret-access-key=s',
    'gs://logs/a/{DATE}/{HOUR}',
    'azure://h/c/a/{DATE}/{HOUR}?sv=1&sp=w&sig=a',
    'file:///a/{DATE}/{HOUR}/',
    'file:///a/%7BDATE%7D/{HOUR}',
  ]
  for (const text of folders) {
    const target = parseDestination(text)
    assert.ok(target.ok, text)
    assert.match(target.value.folder, /^\/?a\/\{DATE\}\/\{HOUR\}$/, text)
  }
})
