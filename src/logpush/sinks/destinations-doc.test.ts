import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startAzure } from '../../../test/support/receivers/azure.ts'
import { startLoki, startSplunk } from '../../../test/support/receivers/engines.ts'
import { startDatadog, startNewRelic, startSumo } from '../../../test/support/receivers/intakes.ts'
import { startKafka } from '../../../test/support/receivers/kafka.ts'
import { postProblem, startReceiver } from '../../../test/support/receivers/receiver.ts'
import { s3Credentials, startS3 } from '../../../test/support/s3-server.ts'
import { checkDestination } from './destination.ts'
import { destinationSchemes, parseDestination } from './table.ts'

/** The examples of docs/reference/logpush.md, at servers of their kind. */

const page = await readFile(join(import.meta.dirname, '../../../docs/reference/logpush.md'), 'utf8')
const examples = [
  ...[...page.matchAll(/^job (?:'([^']+)'|"([^"]+)")$/gm)].map(match => (match[1] ?? match[2])!),
  ...[...page.matchAll(/"destination_conf":"((?!\$)[^"\\]+)"/g)].map(match => match[1]!),
]

/** Where a server of the kind listens, which knows the credentials of the example. */
const servers: Readonly<Record<string, (t: TestContext) => Promise<string>>> = {
  https: async t => (await startReceiver(t, request => postProblem(request) ?? { status: 200 })).host,
  splunk: async t => (await startSplunk(t, '11111111-1111-1111-1111-111111111111', false)).host,
  sentinelone: async t => (await startReceiver(t, request => postProblem(request) ?? { status: 200 })).host,
  datadog: async t => (await startDatadog(t, 'KEY')).host,
  newrelic: async t => (await startNewRelic(t, 'KEY')).host,
  sumo: async t => (await startSumo(t, 'TOKEN')).host,
  elastic: async t => (await startReceiver(t, () => bulkAnswer, { tls: false })).host,
  loki: async t => (await startLoki(t, undefined)).host,
  kafka: async t => (await startKafka(t)).address,
}
const bulkAnswer = { status: 200, body: '{"errors":false}' }

test('every kind of destination has an example', () => {
  const shown = new Set(examples.map(text => text.slice(0, text.indexOf(':'))))
  // `http` is `https` without TLS.
  assert.deepEqual(shown.add('http'), new Set(destinationSchemes))
})

test('each of them accepts a delivery', async t => {
  const s3 = await startS3(['logs'])
  t.after(() => s3.close())
  const folder = await mkdtemp(join(tmpdir(), 'sluice-examples-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const azure = await startAzure(t, 'devstoreaccount1')
  const { accessKeyId, secretAccessKey } = s3Credentials
  for (const example of examples) {
    const scheme = example.slice(0, example.indexOf(':'))
    const host = await servers[scheme]?.(t)
    const text = (host === undefined ? example : example.replace(/\/\/[^/?]+/, `//${host}`))
      .replace('endpoint=http://127.0.0.1:4568', `endpoint=${s3.url}`)
      .replace('access-key-id=S3RVER', `access-key-id=${accessKeyId}`)
      .replace('secret-access-key=S3RVER', `secret-access-key=${secretAccessKey}`)
      .replace('azure://127.0.0.1:10000', `azure://${azure.host}`)
      .replace('$SAS', azure.sas())
    // Accounts at Cloudflare and Google have no stand-in at these addresses.
    if (scheme === 'r2' || scheme === 'gs') assert.ok(parseDestination(text).ok, text)
    else
      assert.deepEqual(
        await checkDestination(text, { reach: 'loopback', directory: folder }),
        { valid: true, message: '' },
        example,
      )
  }
})
