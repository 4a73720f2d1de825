import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { type Received, startReceiver } from '../../../test/support/receivers/receiver.ts'
import { aBatch, soon } from '../testing/batch.ts'
import { onThisMachine } from '../testing/destinations.ts'
import { checkDestination } from './destination.ts'
import { destinationSchemes, parseDestination } from './table.ts'

const canary = 'Canary7Sings9Loud'
const channel = '5d9ca6f0-8a0b-4c1f-9d0e-0123456789ab'

/** Destinations whose every secret is a canary. */
function destinations(host: string): string[] {
  const header = `header_Authorization=Bearer%20${canary}`
  return [
    `https://${host}/a?header_X-Key=${canary}&a=${canary}%20b`,
    `https://mary${canary}:${canary}%40@${host}/a?key=${canary}&tags=x`,
    `https://${host}/hooks/${canary}?${header}`,
    `newrelic://${host}/log/v1?Api-Key=${canary}`,
    `datadog://${host}/api/v2/logs?header_DD-API-KEY=${canary}`,
    `datadog://${host}/v1/input/${canary}`,
    `splunk://${host}/services/collector/raw?channel=${channel}&${header}`,
    `sentinelone://${host}/services/collector/event?${header}`,
    `sumo://${host}/receiver/v1/http/${canary}`,
    `elastic://mary:${canary}@${host}/logs`,
    `elastic://${host}/logs?${header}`,
    `loki://${host}?${header}&label_app=shop`,
    `azure://${host}/logs/a?sv=1&sp=w&sig=${canary}%2B`,
    `s3://logs/a?region=r&endpoint=${host}&access-key-id=${canary}&secret-access-key=${canary}`,
  ]
}

/** Kinds with the code of another one, kinds without secrets, and Kafka, which does not speak HTTP. */
const withoutEcho = ['r2', 'gs', 'http', 'kafka', 'file', 'stdout']

test('every kind of destination is among them', () => {
  const tested = destinations('h').map(text => text.slice(0, text.indexOf(':')))
  assert.deepEqual(new Set([...tested, ...withoutEcho]), new Set(destinationSchemes))
})

/** Everything that a request said, in several spellings, and the secret by itself. */
function echo({ url, headers }: Received): string {
  const said = `${url.pathname}${url.search} ${decodeURIComponent(url.search)} ${Object.values(headers).join(' ')}`
  const basic = Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64').toString('latin1')
  return `${canary} ${JSON.stringify(said)} ${basic}`
}

async function failureOf(t: TestContext, text: string): Promise<unknown> {
  const target = parseDestination(text)
  assert.ok(target.ok, text)
  const sink = await target.value.open(onThisMachine)
  t.after(() => sink.close())
  return sink.put(aBatch(['{"a":1}']), soon()).then(
    status => ({ status }),
    (error: unknown) => error,
  )
}

test('no error shows a secret, regardless of the answer', async t => {
  const receiver = await startReceiver(t, request => {
    const error = { type: echo(request), reason: echo(request) }
    return {
      status: 200,
      body: JSON.stringify({ errors: true, items: [{ create: { status: 400, error } }] }),
    }
  })
  const replies: (typeof receiver.instead)[] = [
    request => ({ status: 403, body: echo(request), headers: { 'x-ms-error-code': canary } }),
    () => ({ status: 400, body: `<Error><Code>${canary}</Code><Message>${canary}</Message></Error>` }),
    () => ({ status: 500, body: canary.repeat(300) }),
    () => ({ status: 302, body: canary, headers: { location: `https://${canary}/` } }),
    () => ({ status: 200, body: `{"code":7,"text":"${canary}"}` }),
    () => undefined,
  ]
  for (const text of destinations(receiver.host))
    for (const instead of replies) {
      receiver.instead = instead
      assert.doesNotMatch(inspect(await failureOf(t, text), { depth: 9 }), /Canary7|Sings9Loud/, text)
    }
})

test('no refusal repeats a possible secret in a wrong position', () => {
  for (const text of [
    `s3://AKIA:${canary}@bucket/a?region=r`,
    `s3://bucket/a?region=r&access-key-id=K&secret-access-key=a&${canary}`,
    `s3://bucket/a?region=r&endpoint=https://:${canary}@127.0.0.1`,
    `s3://bucket/a?region=r&endpoint=https://127.0.0.1%23${canary}`,
    `kafka://broker:9092/${canary}@broker:9092`,
    `loki://host?label_9${canary}=x`,
    `file:///tmp/a?${canary}=1`,
  ]) {
    const target = parseDestination(text)
    assert.ok(!target.ok, text)
    assert.doesNotMatch(target.problem.message, /Canary7/, text)
  }
})

test('where an answer is cut off, so are secrets in it', async t => {
  const endless = createServer((request, response) => {
    request.resume()
    response.writeHead(403)
    const write = () => {
      while (!response.destroyed && response.write(canary.repeat(1000)));
    }
    response.on('drain', write)
    write()
  })
  await new Promise<void>(resolve => endless.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    endless.closeAllConnections()
    endless.close()
  })
  const { port } = endless.address() as AddressInfo
  const { message } = await checkDestination(`http://127.0.0.1:${port}/?key=${canary}`, onThisMachine)
  assert.match(message, /answered 403/)
  assert.doesNotMatch(message, /Cana/)
})
