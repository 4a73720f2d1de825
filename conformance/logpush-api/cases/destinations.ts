import { type Case, codes, jobs } from '../case.ts'

/**
 * Section 3.1 and 3.2: the forms of destinations. Most of these servers do not exist here. A job with a valid
 * destination and an invalid filter shows which of the two is refused, before anything is sent.
 */

const understood = (destination_conf: string): Case => ({
  name: `3.1 a destination: ${destination_conf}`,
  request: ['POST', jobs, { destination_conf, filter: '{' }],
  status: 400,
  error: [codes.filter, /./, '/filter'],
})

const refused = (destination_conf: string): Case => ({
  name: `3.1 no destination: ${destination_conf}`,
  request: ['POST', jobs, { destination_conf, filter: '{' }],
  status: 400,
  error: [codes.destination, /^(?!.*SECRET)./, '/destination_conf'],
})

/** A client could name another owner's path. */
const owned = (destination_conf: string): Case => ({
  name: `3.1 a destination whose owner has to be known: ${destination_conf}`,
  request: ['POST', jobs, { destination_conf }],
  status: 400,
  error: [1002, /^incorrect ownership challenge: it /, '/ownership_challenge'],
})

const keys = 'access-key-id=K&secret-access-key=SECRET'
const sas = 'sv=2022-11-02&ss=b&srt=o&sp=w&se=2099-01-01T00:00:00Z&spr=https&sig=SECRET%3D'
const splunk =
  'channel=0f5c6a5e-9a3c-4b7e-8f65-0f2b1c8e3a11&insecure-skip-verify=false&sourcetype=cloudflare:json'

export const destinationCases: readonly Case[] = [
  ...[
    's3://bucket/dir?region=eu-west-1',
    's3://bucket/dir/{DATE}?region=eu-west-1&sse=AES256',
    'gs://bucket/dir',
    'gs://bucket/dir/{DATE}',
    'sumo://endpoint.sumologic.com/receiver/v1/http/CODE',
  ].map(owned),
  ...[
    `s3://bucket/dir?region=eu-west-1&${keys}`,
    `s3://bucket/dir?region=eu-west-1&${keys}&endpoint=s3.example.com`,
    `s3://bucket/dir?region=eu-west-1&${keys}&endpoint=s3.example.com&sse=AES256`,
    `s3://bucket?region=eu-west-1&${keys}`,
    `r2://bucket/dir?account-id=0123456789abcdef0123456789abcdef&${keys}`,
    `r2://bucket/{DATE}?account-id=0123456789abcdef0123456789abcdef&${keys}`,
    `azure://account.blob.core.windows.net/container?${sas}`,
    `azure://account.blob.core.windows.net/container/dir/{DATE}?${sas}`,
    'https://logs.example.com/in',
    'https://host.example.com?updated=true',
    'https://in.test/cf?header_Authorization=Basic%20abc&tags=env:prod,team:web',
    'https://in.test:8443/cf?header_X-Api-Key=SECRET',
    'datadog://http-intake.logs.datadoghq.com/v1/input?header_DD-API-KEY=SECRET&ddsource=cloudflare&service=s&host=h&ddtags=a:b,c:d',
    'datadog://http-intake.logs.datadoghq.com/api/v2/logs?header_DD-API-KEY=SECRET&ddsource=cloudflare',
    `splunk://splunk.example.com:8088/services/collector/raw?${splunk}&header_Authorization=Splunk%20SECRET`,
    `splunk://splunk.example.com/services/collector/raw?${splunk}&header_Authorization=Splunk%20SECRET`,
    'sentinelone://ingest.example.com/services/collector/raw?sourcetype=marketplace-cloudflare-latest&header_Authorization=Bearer%20SECRET',
    'https://log-api.newrelic.com/log/v1?Api-Key=SECRET&format=cloudflare',
    'https://log-api.eu.newrelic.com/log/v1?Api-Key=SECRET&format=cloudflare',
    'https://elastic.example.com/?header_X-Auth=SECRET&header_Content-Type=application/json',
    'file:///var/log/sluice/{DATE}',
    'file:./logs',
  ].map(understood),
  ...[
    'kinesis://stream?region=eu-west-1&sts-assume-role-arn=arn:aws:iam::1:role/x',
    'bq://projects/p/datasets/d/tables/t?credentials=base64:SECRET',
    'ibmcl://id.ingress.eu-de.logs.cloud.ibm.com/logs/v1/singles?ibm_api_key=SECRET',
    'gopher://example.com',
    'bucket/dir',
    '://x',
    's3://bucket/dir',
    's3:///dir?region=eu-west-1',
    's3://bucket/dir?region=eu-west-1&access-key-id=K',
    's3://bucket/dir?region=eu-west-1&secret-access-key=SECRET',
    `s3://bucket/dir?region=eu-west-1&${keys}&sse=none`,
    `s3://bucket/dir?region=eu-west-1&${keys}&endpoint=s3.example.com/bucket`,
    `s3://bucket/dir?region=eu-west-1&${keys}&colour=red`,
    `r2://bucket/dir?${keys}`,
    'r2://bucket/dir?account-id=0123456789abcdef0123456789abcdef',
    'azure://account.blob.core.windows.net/',
    'https://',
    'file:',
  ].map(refused),
]
