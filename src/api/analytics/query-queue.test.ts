import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { FastifyReply } from 'fastify'
import { analyticsLimits } from '../../analytics/limits.ts'
import { ApiError } from '../http/errors.ts'
import { analyticsRequestLimits } from './limits.ts'
import { QueryQueue } from './query-queue.ts'

/** A client that waits for a response. */
class Client extends EventEmitter {
  closed = false

  disconnect(): void {
    this.closed = true
    this.emit('close')
  }

  reply(): FastifyReply {
    return { raw: this } as unknown as FastifyReply
  }
}

const away = (error: unknown) => error instanceof ApiError && error.status === 503

function opened() {
  const queue = new QueryQueue(analyticsRequestLimits.askedMax)
  const started: number[] = []
  const pending: (() => void)[] = []
  const clients: Client[] = []
  const run = (number: number): Promise<number> => {
    const client = new Client()
    clients.push(client)
    return queue.run(client.reply(), async () => {
      started.push(number)
      await new Promise<void>(resolve => pending.push(resolve))
      return number
    })
  }
  /** Finishes the oldest query, and waits until the next one has started. */
  const finish = async () => {
    pending.shift()!()
    await new Promise(setImmediate)
  }
  return { queue, started, clients, run, finish }
}

test('few queries run at once, the others in order, and those of disconnected clients are dropped', async () => {
  const { started, clients, run, finish } = opened()
  const max = analyticsRequestLimits.askedMax
  const all = Array.from({ length: max + 4 }, (_, number) => run(number))
  const first = Array.from({ length: max }, (_, number) => number)
  assert.deepEqual(started, first)
  clients[0]!.disconnect()
  clients[max]!.disconnect()
  clients[max + 2]!.disconnect()
  const left = Promise.all([max, max + 2].map(number => assert.rejects(all[number]!, away)))
  await finish()
  assert.deepEqual(started, [...first, max + 1])
  for (let n = 0; n < max + 1; n++) await finish()
  await left
  assert.deepEqual(started, [...first, max + 1, max + 3])
  assert.equal(await all[max + 3], max + 3)
})

test('a disconnected client starts no query, and a failed query frees its slot', async () => {
  const { queue } = opened()
  const client = new Client()
  client.disconnect()
  await assert.rejects(queue.run(client.reply(), assert.fail), away)
  const failing = () => Promise.reject(new Error('the disk failed'))
  for (let n = 0; n <= analyticsRequestLimits.askedMax; n++)
    await assert.rejects(queue.run(new Client().reply(), failing), /the disk failed/)
  assert.equal(await queue.run(new Client().reply(), async () => 7), 7)
})

test('the queue has a limit; disconnected clients do not count', async () => {
  const { clients, run } = opened()
  const { askedMax } = analyticsRequestLimits
  const { waitingMax } = analyticsLimits
  const all = Array.from({ length: askedMax + waitingMax }, (_, number) => run(number))
  await assert.rejects(run(-1), away)
  clients[askedMax]!.disconnect()
  all.push(run(-2))
  await assert.rejects(run(-3), away)
})
