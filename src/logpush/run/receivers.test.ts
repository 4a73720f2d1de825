import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startElastic } from '../../../test/support/receivers/engines.ts'
import { startDatadog } from '../../../test/support/receivers/intakes.ts'
import { postProblem, type Reply, startReceiver } from '../../../test/support/receivers/receiver.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { StoreError } from '../../store/index.ts'
import { DeliveryBench, eventually, quickPace, storeWith } from '../testing/delivery.ts'

/** Jobs from the record log to receivers that tell what they took. */

const rays = (count: number) => Array.from({ length: count }, (_, n) => `ray-${n}`)

test('a process that dies after an upload leaves no second copy in Elasticsearch', async t => {
  const bench = await DeliveryBench.open(t)
  const elastic = await startElastic(t, 'logs', 'ApiKey key')
  await bench.job({
    destinationConf: `elastic://${elastic.host}/logs?header_Authorization=ApiKey%20key`,
    logpullOptions: 'fields=RayID',
  })
  await bench.write(...rays(50))
  const dead = bench.deliver({
    store: storeWith(bench.store, {
      delivery: { closeBatch: () => Promise.reject(new StoreError('unavailable', 'dead')) },
    }),
  })
  await eventually(() => assert.equal(elastic.documents.size, 50))
  await dead.stop()
  const requestsBefore = elastic.requests.length
  bench.deliver()
  await eventually(() => assert.ok(elastic.requests.length > requestsBefore))
  assert.equal(elastic.documents.size, 50)
})

test('the rest of a batch after the quota is new to Elasticsearch: ids do not depend on the index of a line', async t => {
  const bench = await DeliveryBench.open(t)
  const elastic = await startElastic(t, 'logs', 'ApiKey key')
  await bench.job({
    destinationConf: `elastic://${elastic.host}/logs?header_Authorization=ApiKey%20key`,
    logpullOptions: 'fields=RayID',
  })
  const busy = new Set(rays(200).slice(100))
  elastic.refuses = ({ RayID }) =>
    busy.has(String(RayID))
      ? { status: 429, type: 'es_rejected_execution_exception', reason: 'busy' }
      : undefined
  await bench.write(...rays(200))
  let kept = 0
  bench.deliver({
    reader: {
      ...bench.watching(),
      read: async (...where) => (await bench.reader.read(...where)).filter(({ sequence }) => sequence > kept),
    },
  })
  await eventually(() => assert.equal(elastic.documents.size, 100))
  // The quota takes existing documents.
  kept = 100
  busy.clear()
  await eventually(() => assert.equal(elastic.documents.size, 200))
})

test('a split batch keeps the job’s frame, and repeats no accepted part', async t => {
  const bench = await DeliveryBench.open(t)
  const datadog = await startDatadog(t, 'key')
  let refusal: number | undefined = 503
  datadog.instead = ({ text }) =>
    refusal !== undefined && text.includes('"ray-1000"') ? { status: refusal } : undefined
  const job = await bench.job({
    destinationConf: `datadog://${datadog.host}/api/v2/logs?header_DD-API-KEY=key`,
    outputOptions: {
      field_names: ['RayID'],
      batch_prefix: '[',
      batch_suffix: ']',
      record_prefix: '{"ü":"x",',
      record_suffix: '}',
      record_delimiter: ',',
    },
  })
  await bench.write(...rays(2500))
  const delivery = bench.deliver()
  await eventually(() => assert.ok(datadog.requests.length >= 3))
  // Nor is what was taken cut again, regardless of edits to the job.
  refusal = 413
  await eventually(async () => assert.equal((await bench.now(job)).paused, true))
  await bench.store.jobs.update({ ...(await bench.now(job)), maxUploadRecords: 1000 })
  delivery.refresh()
  const pauses = () => bench.outcomes.filter(({ outcome }) => outcome === 'paused').length
  await eventually(() => assert.equal(pauses(), 2))
  refusal = undefined
  await bench.store.jobs.update(await bench.now(job))
  delivery.refresh()
  await eventually(() => assert.ok(datadog.taken.length >= 2500))
  assert.deepEqual(
    datadog.taken,
    rays(2500).map(RayID => ({ ü: 'x', RayID })),
  )
})

test('a job delivers batch after batch on one connection, and on a new one after a failure or an edit', async t => {
  const bench = await DeliveryBench.open(t)
  const receiver = await startReceiver(t, request => postProblem(request) ?? { status: 200 })
  const destinationConf = `https://${receiver.host}/`
  const job = await bench.job({ destinationConf, logpullOptions: 'fields=RayID', maxUploadRecords: 10 })
  await bench.write(...rays(50))
  const delivery = bench.deliver()
  await eventually(() => assert.equal(receiver.requests.length, 5))
  assert.equal(receiver.connections, 1)
  let refusals = 1
  receiver.instead = () => (refusals-- > 0 ? { status: 503 } : undefined)
  await bench.write(...rays(10))
  await eventually(() => assert.equal(receiver.requests.length, 7))
  assert.equal(receiver.connections, 2)
  await bench.store.jobs.update({ ...(await bench.now(job)), destinationConf: `${destinationConf}moved` })
  delivery.refresh()
  await bench.write(...rays(10))
  await eventually(() => assert.equal(receiver.requests.at(-1)?.url.pathname, '/moved'))
  assert.equal(receiver.connections, 3)
})

for (const [before, after] of [
  [{ maxUploadRecords: 5 }, { maxUploadRecords: 2 }],
  // The line that reaches the limit, here the fifth, is the last.
  [{ maxUploadBytes: 80 }, { maxUploadBytes: 30 }],
] as const)
  test(`a batch that is too large for its destination is cut again when the job is edited: ${Object.keys(after)}`, async t => {
    const bench = await DeliveryBench.open(t)
    const taken: string[][] = []
    const receiver = await startReceiver(t, request => {
      const lines = request.text.trimEnd().split('\n')
      if (lines.length > 2) return { status: 413 }
      taken.push(lines.map(line => (JSON.parse(line) as { RayID: string }).RayID))
      return postProblem(request) ?? { status: 200 }
    })
    const destinationConf = `https://${receiver.host}/`
    const job = await bench.job({ destinationConf, logpullOptions: 'fields=RayID', ...before })
    await bench.write(...rays(5))
    const delivery = bench.deliver()
    const write = async (changes: Partial<LogpushJob>) => {
      await bench.store.jobs.update({ ...(await bench.now(job)), ...changes })
      delivery.refresh()
    }
    const pauses = () => bench.outcomes.filter(({ outcome }) => outcome === 'paused').length
    await eventually(() => assert.equal(pauses(), 1))
    await eventually(async () =>
      assert.match((await bench.now(job)).errorMessage!, /^paused.* answered 413.*: lower max_upload_/),
    )
    // Its limits are the same: it would be the same batch.
    await write({ name: 'renamed' })
    await eventually(() => assert.equal(pauses(), 2))
    await write(after)
    await eventually(() => assert.equal(taken.flat().length, 5))
    assert.deepEqual(taken, [['ray-0', 'ray-1'], ['ray-2', 'ray-3'], ['ray-4']])
    await eventually(async () => assert.equal((await bench.now(job)).errorMessage, null))
    assert.equal(pauses(), 2)
  })

test('a batch in a format that its destination refuses is rewritten when the job’s format changes', async t => {
  const bench = await DeliveryBench.open(t)
  const elastic = await startElastic(t, 'logs', 'ApiKey key')
  const job = await bench.job({
    destinationConf: `elastic://${elastic.host}/logs?header_Authorization=ApiKey%20key`,
    outputOptions: { output_type: 'csv', field_names: ['RayID'] },
  })
  await bench.write(...rays(3))
  const delivery = bench.deliver()
  await eventually(async () =>
    assert.match((await bench.now(job)).errorMessage ?? '', /^paused.*output_options to ndjson/),
  )
  const outputOptions = { output_type: 'ndjson', field_names: ['RayID'] }
  await bench.store.jobs.update({ ...(await bench.now(job)), outputOptions })
  delivery.refresh()
  await eventually(() => assert.equal(elastic.documents.size, 3))
  await eventually(async () => assert.equal((await bench.now(job)).errorMessage, null))
})

test('an upload that fails while the next batch is already full is recorded, and waits for Retry-After', async t => {
  const bench = await DeliveryBench.open(t)
  const answers: PromiseWithResolvers<Reply>[] = []
  const receiver = await startReceiver(t, request => postProblem(request) ?? { status: 200 })
  receiver.instead = () => {
    const answer = Promise.withResolvers<Reply>()
    answers.push(answer)
    return answer.promise
  }
  const job = await bench.job({
    destinationConf: `https://${receiver.host}/`,
    logpullOptions: 'fields=RayID',
    maxUploadRecords: 2,
  })
  await bench.write(...rays(2))
  const delivery = bench.deliver()
  await eventually(() => assert.equal(answers.length, 1))
  // The next batch, and the line that does not fit: the stream continues without the job.
  await bench.write(...rays(3))
  await sleep(300)
  answers[0]!.resolve({ status: 429, headers: { 'retry-after': '3600' } })
  await eventually(async () => {
    const { errorMessage, lastError } = await bench.now(job)
    assert.match(errorMessage ?? '', /429/)
    assert.notEqual(lastError, null)
  })
  await eventually(async () => {
    const counts = await bench.store.delivery.counts(job.id, '')
    assert.deepEqual(
      counts.map(({ outcome, status, uploads }) => ({ outcome, status, uploads })),
      [{ outcome: 'retry', status: '429', uploads: 1 }],
    )
  })
  await bench.write(...rays(3))
  await sleep(300)
  assert.equal(answers.length, 1)
  // An edit of the job tries it at once.
  await bench.store.jobs.update(await bench.now(job))
  delivery.refresh()
  await eventually(() => assert.equal(answers.length, 2))
  answers[1]!.resolve({ status: 200 })
})

test('an upload that fails while the job is edited is counted', async t => {
  const bench = await DeliveryBench.open(t)
  const answers: PromiseWithResolvers<Reply>[] = []
  const receiver = await startReceiver(t, request => postProblem(request) ?? { status: 200 })
  receiver.instead = () => {
    const answer = Promise.withResolvers<Reply>()
    answers.push(answer)
    return answer.promise
  }
  const job = await bench.job({
    destinationConf: `https://${receiver.host}/`,
    logpullOptions: 'fields=RayID',
  })
  await bench.write(...rays(2))
  const delivery = bench.deliver()
  await eventually(() => assert.equal(answers.length, 1))
  await bench.store.jobs.update({ ...(await bench.now(job)), name: 'renamed' })
  await bench.refreshed(delivery)
  answers[0]!.resolve({ status: 503 })
  await eventually(() => assert.equal(answers.length, 2))
  assert.deepEqual(
    bench.outcomes.map(({ outcome, status }) => ({ outcome, status })),
    [{ outcome: 'retry', status: '503' }],
  )
  answers[1]!.resolve({ status: 200 })
})

test('a stop cuts an upload off that takes too long, so that the next process repeats it alone', async t => {
  const bench = await DeliveryBench.open(t)
  const begun: string[] = []
  const ended: string[] = []
  let slow = true
  const server = createServer((request, response) => {
    const id = String(request.headers['idempotency-key'])
    request.resume()
    response.on('close', () => ended.push(response.writableEnded ? 'answered' : 'cut off'))
    begun.push(id)
    if (!slow) response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close().closeAllConnections())
  await bench.job({ destinationConf: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  await bench.write('a')
  const errors: string[] = []
  const delivery = bench.deliver({ onError: message => errors.push(message) })
  await eventually(() => assert.equal(begun.length, 1))
  await delivery.stop(100)
  slow = false
  bench.deliver()
  await eventually(() => assert.equal(bench.outcomes.length, 1))
  assert.deepEqual(ended.sort(), ['answered', 'cut off'])
  assert.equal(begun[0], begun[1])
  assert.deepEqual(errors, [
    'a destination does not answer: its upload is cut off, and the next process repeats it',
  ])
})

test('a process that waits for an upload before it ends keeps its lease', async t => {
  const bench = await DeliveryBench.open(t)
  const answer = Promise.withResolvers<Reply>()
  const receiver = await startReceiver(t, request => postProblem(request) ?? { status: 200 })
  receiver.instead = () => answer.promise
  await bench.job({ destinationConf: `https://${receiver.host}/`, logpullOptions: 'fields=RayID' })
  await bench.write('a')
  const leaseMs = 300
  const pace = { ...quickPace, leaseMs }
  const delivery = bench.deliver({ pace })
  await eventually(() => assert.equal(receiver.requests.length, 1))
  const stopped = delivery.stop(60_000)
  bench.deliver({ pace, location: 'other' })
  await sleep(4 * leaseMs)
  answer.resolve({ status: 200 })
  await stopped
  assert.equal(receiver.requests.length, 1)
  assert.deepEqual(
    bench.outcomes.map(({ outcome }) => outcome),
    ['successful'],
  )
})
