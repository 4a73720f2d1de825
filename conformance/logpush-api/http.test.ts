import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { type Bench, openBench } from './bench.ts'

/**
 * The requests that an HTTP endpoint receives from a job, and the job's report of its endpoint: sections 3.2, 3.4, 6.3
 * and 6.4.
 */

interface Seen {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const seen: Seen[] = []
let status = 200
const receiver = createServer(async (request, response) => {
  const text = gunzipSync(await buffer(request)).toString('utf8')
  seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, text })
  response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {})
  response.end(status === 200 ? '' : 'the reason of the receiver')
})

let bench: Bench
let jobs: string
let base: string
before(async () => {
  bench = await openBench()
  jobs = `${bench.api.zonePath}/logpush/jobs`
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
beforeEach(() => {
  seen.length = 0
  status = 200
})
after(async () => {
  await bench.close()
  receiver.closeAllConnections()
  receiver.close()
})

const query = 'header_Authorization=Basic%20abc&header_X-Api-Key=k&tags=env:prod,team:web'
const create = (more: object = {}) =>
  bench.api.send('POST', jobs, { destination_conf: `${base}/cf?${query}`, ...more })

test('3.4 the probe is a POST of the documented content, compressed', async () => {
  const answer = await create({ enabled: false })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(seen.length, 1)
  const [{ line, headers, text }] = seen as [Seen]
  assert.match(line, /^POST \/cf\?tags=env(:|%3A)prod(,|%2C)team(:|%3A)web$/)
  assert.deepEqual(JSON.parse(text), { content: 'tests' })
  assert.equal(headers['content-encoding'], 'gzip')
  assert.doesNotMatch(headers['content-type'] ?? '', /^application\/json/)
  assert.equal(headers.authorization, 'Basic abc')
  assert.equal(headers['x-api-key'], 'k')
})

test('3.2 a header of the destination replaces our own', async () => {
  const destination_conf = `${base}/cf?header_Content-Type=application/json`
  assert.equal((await create({ destination_conf })).status, 200)
  assert.equal(seen[0]!.headers['content-type'], 'application/json')
})

for (const refusing of [302, 400, 401, 403, 404, 405, 415, 500, 503])
  test(`3.4 a receiver that answers ${refusing}`, async () => {
    status = refusing
    for (const enabled of [true, false]) {
      const { status: answered, body } = await create({ enabled })
      assert.equal(answered, 400)
      assert.equal(body.errors[0].code, 1002)
      assert.match(body.errors[0].message, /^error validating destination: error writing object: /)
      assert.match(body.errors[0].message, new RegExp(`\\b${refusing}\\b`))
    }
    assert.ok(!seen.some(({ line }) => line.includes('elsewhere')), 'a redirect is not followed')
    const checked = await bench.api.send('POST', `${bench.api.zonePath}/logpush/validate/destination`, {
      destination_conf: `${base}/cf`,
    })
    assert.equal(checked.body.result.valid, false)
  })

test('6.3 and 6.4 a batch is a POST, a failure is reported, and a success clears it', async () => {
  for (const { id } of (await bench.api.send('GET', jobs)).body.result)
    await bench.api.send('DELETE', `${jobs}/${id}`)
  const output_options = { field_names: ['RayID'], batch_prefix: '[', batch_suffix: ']' }
  const { id } = (await create({ enabled: true, output_options })).body.result
  const read = async () => (await bench.api.send('GET', `${jobs}/${id}`)).body.result
  const until = async (done: (job: Awaited<ReturnType<typeof read>>) => boolean) => {
    for (let turn = 0; turn < 500 && !done(await read()); turn++) await sleep(20)
    return read()
  }
  seen.length = 0
  status = 500
  bench.deliver()
  await bench.write([{ RayID: 'r1' }])
  const failing = await until(job => job.error_message !== null)
  assert.match(failing.error_message, /answered 500/)
  // The answer of a service on this machine, which the job's author could not read otherwise.
  assert.doesNotMatch(failing.error_message, /reason of the receiver/)
  assert.match(failing.last_error, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  assert.deepEqual([failing.enabled, failing.last_complete], [true, null])
  status = 204
  const well = await until(job => job.last_complete !== null)
  assert.deepEqual([well.error_message, well.last_error], [null, null])
  for (const { line, text } of seen) {
    assert.match(line, /^POST \/cf\?tags=/)
    assert.equal(text, '[{"RayID":"r1"}\n]', 'each attempt is the same batch')
  }
  const { headers } = seen.at(-1)!
  assert.deepEqual([headers['content-encoding'], headers.authorization], ['gzip', 'Basic abc'])
  assert.ok(headers['user-agent'])
})
