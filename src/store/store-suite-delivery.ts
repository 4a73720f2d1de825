import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogpushJob } from '../model/resource.ts'
import type { DeliveryBatch } from './port.ts'
import { aJob, refusal, type StoreUnderTest, zoneIn } from './test-data.ts'

export function deliverySuite({ store }: StoreUnderTest): void {
  test('job ids are not used again', async () => {
    const zone = await zoneIn(store())
    const one = await store().jobs.insert(aJob(zone.id))
    const two = await store().jobs.insert(aJob(zone.id))
    assert.equal(two.id, one.id + 1)
    assert.equal(await store().jobs.delete(zone.id, two.id), true)
    assert.equal((await store().jobs.insert(aJob(zone.id))).id, two.id + 1)
  })

  test('a job comes back as written, and an update leaves its health alone', async () => {
    const zone = await zoneIn(store())
    const written = aJob(zone.id, {
      name: null,
      outputOptions: { sample_rate: 0.5, field_names: ['B', 'A'], cve: null },
      filter: '{"where":{"key":"ClientIP","operator":"eq","value":"\\u0000"}}',
      maxUploadRecords: 1000,
    })
    const job = await store().jobs.insert(written)
    assert.deepEqual(await store().jobs.get(zone.id, job.id), { ...written, id: job.id })
    const health = {
      lastComplete: null,
      lastError: '2026-01-01T00:00:00.000000Z',
      errorMessage: 'no \0 bucket',
    }
    await store().jobs.report(job.id, health)
    await store().jobs.update({ ...job, enabled: false, name: 'renamed' })
    const want: LogpushJob = { ...job, ...health, enabled: false, name: 'renamed' }
    assert.deepEqual(await store().jobs.get(zone.id, job.id), want)
    assert.deepEqual(await store().jobs.list(zone.id), [want])
    assert.ok(!(await store().jobs.listEnabled()).some(enabled => enabled.id === job.id))
    assert.equal(await store().jobs.get('0'.repeat(32), job.id), undefined)
    assert.equal(await store().jobs.delete('0'.repeat(32), job.id), false)
    assert.equal(await store().jobs.delete(zone.id, job.id), true)
    await assert.rejects(store().jobs.update(job), refusal('stale'))
  })

  test('a cursor starts once and only moves forward', async () => {
    const jobId = await jobIn()
    await store().delivery.start({ jobId, partition: 'a', sequence: 10 })
    await store().delivery.start({ jobId, partition: 'a', sequence: 99 })
    await store().delivery.start({ jobId, partition: 'b', sequence: 2 ** 40 })
    assert.deepEqual(await store().delivery.cursors(jobId), [
      { jobId, partition: 'a', sequence: 10 },
      { jobId, partition: 'b', sequence: 2 ** 40 },
    ])
    for (const last of [12, 13, 20]) {
      const batch = aBatch(jobId, last, last)
      await store().delivery.openBatch(batch)
      for (let times = 0; times < 2; times++) await store().delivery.closeBatch(batch)
      assert.equal((await store().delivery.cursors(jobId))[0]?.sequence, last)
    }
    for (const [first, last] of [
      [1, 99],
      [20, 99],
      [20, 20],
    ] as const)
      await assert.rejects(store().delivery.openBatch(aBatch(jobId, last, first)), refusal('stale'))
    await store().delivery.closeBatch(aBatch(jobId, 99, 21))
    assert.equal((await store().delivery.cursors(jobId))[0]?.sequence, 20)
  })

  test('one batch is open a job and partition, until it is closed', async () => {
    const jobId = await jobIn()
    const batch = aBatch(jobId, 5)
    await store().delivery.openBatch(batch)
    await assert.rejects(store().delivery.openBatch(aBatch(jobId, 9)), refusal('conflict'))
    const elsewhere = { ...batch, partition: 'b' }
    await store().delivery.openBatch(elsewhere)
    assert.deepEqual(await store().delivery.openBatches(jobId), [batch, elsewhere])
    await store().delivery.closeBatch(batch)
    assert.deepEqual(await store().delivery.openBatches(jobId), [elsewhere])
    assert.deepEqual(await store().delivery.cursors(jobId), [{ jobId, partition: 'a', sequence: 5 }])
  })

  test('the batch of a job that was deleted can be closed', async () => {
    const zone = await zoneIn(store())
    const job = await store().jobs.insert(aJob(zone.id))
    const batch = aBatch(job.id, 5)
    await store().delivery.openBatch(batch)
    await store().jobs.delete(zone.id, job.id)
    assert.deepEqual(await store().delivery.openBatches(job.id), [])
    await store().delivery.closeBatch(batch)
    assert.deepEqual(await store().delivery.cursors(job.id), [])
    await assert.rejects(store().delivery.openBatch(batch), refusal('stale'))
  })

  test('a stopped job has nowhere to go on, and starts anew', async () => {
    const other = await jobIn()
    const zone = await zoneIn(store())
    const job = await store().jobs.insert(aJob(zone.id))
    const batch = aBatch(job.id, 5)
    for (const jobId of [job.id, other]) {
      await store().delivery.start({ jobId, partition: 'b', sequence: 3 })
      await store().delivery.openBatch({ ...batch, jobId })
    }
    await store().jobs.update({ ...job, enabled: false })
    await store().delivery.stop(job.id)
    await store().delivery.closeBatch(batch)
    assert.deepEqual(await store().delivery.cursors(job.id), [])
    assert.deepEqual(await store().delivery.openBatches(job.id), [])
    await assert.rejects(store().delivery.openBatch(batch), refusal('stale'))
    await store().delivery.start({ jobId: job.id, partition: 'a', sequence: 9 })
    await store().jobs.update(job)
    await assert.rejects(store().delivery.openBatch(batch), refusal('stale'))
    await store().delivery.openBatch(aBatch(job.id, 12, 10))
    assert.deepEqual(await store().delivery.cursors(other), [{ jobId: other, partition: 'b', sequence: 3 }])
    assert.deepEqual(await store().delivery.openBatches(other), [{ ...batch, jobId: other }])
  })

  async function jobIn(): Promise<number> {
    return (await store().jobs.insert(aJob((await zoneIn(store())).id))).id
  }
}

function aBatch(jobId: number, lastSequence: number, firstSequence = 1): DeliveryBatch {
  return {
    jobId,
    partition: 'a',
    firstSequence,
    lastSequence,
    objectName: `${lastSequence}.log.gz`,
    shape: '{"destination":"file:///x"}',
    openedOn: '2026-01-01T00:00:00.000000Z',
  }
}
