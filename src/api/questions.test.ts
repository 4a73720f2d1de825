import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { FastifyReply } from 'fastify'
import { analyticsLimits } from '../kit/limits.ts'
import { ApiError } from './errors.ts'
import { Questions } from './questions.ts'

/** Somebody who waits for an answer. */
class Client extends EventEmitter {
  closed = false

  leave(): void {
    this.closed = true
    this.emit('close')
  }

  reply(): FastifyReply {
    return { raw: this } as unknown as FastifyReply
  }
}

const away = (error: unknown) => error instanceof ApiError && error.status === 503

function opened() {
  const questions = new Questions()
  const asked: number[] = []
  const answers: (() => void)[] = []
  const clients: Client[] = []
  const ask = (number: number): Promise<number> => {
    const client = new Client()
    clients.push(client)
    return questions.ask(client.reply(), async () => {
      asked.push(number)
      await new Promise<void>(resolve => answers.push(resolve))
      return number
    })
  }
  /** Answers the oldest one, and lets what comes of it happen. */
  const answer = async () => {
    answers.shift()!()
    await new Promise(setImmediate)
  }
  return { questions, asked, clients, ask, answer }
}

test('few are asked at once, the others in their order, and not those whose clients have left', async () => {
  const { asked, clients, ask, answer } = opened()
  const max = analyticsLimits.askedMax
  const all = Array.from({ length: max + 4 }, (_, number) => ask(number))
  const first = Array.from({ length: max }, (_, number) => number)
  assert.deepEqual(asked, first)
  clients[0]!.leave()
  clients[max]!.leave()
  clients[max + 2]!.leave()
  const left = Promise.all([max, max + 2].map(number => assert.rejects(all[number]!, away)))
  await answer()
  assert.deepEqual(asked, [...first, max + 1])
  for (let n = 0; n < max + 1; n++) await answer()
  await left
  assert.deepEqual(asked, [...first, max + 1, max + 3])
  assert.equal(await all[max + 3], max + 3)
})

test('who has left before asks nothing, and a question that fails makes room', async () => {
  const { questions } = opened()
  const client = new Client()
  client.leave()
  await assert.rejects(questions.ask(client.reply(), assert.fail), away)
  const failing = () => Promise.reject(new Error('the disk is gone'))
  for (let n = 0; n <= analyticsLimits.askedMax; n++)
    await assert.rejects(questions.ask(new Client().reply(), failing), /the disk is gone/)
  assert.equal(await questions.ask(new Client().reply(), async () => 7), 7)
})

test('so many may wait; those who have left do not count', async () => {
  const { clients, ask } = opened()
  const { askedMax, waitingMax } = analyticsLimits
  const all = Array.from({ length: askedMax + waitingMax }, (_, number) => ask(number))
  await assert.rejects(ask(-1), away)
  clients[askedMax]!.leave()
  all.push(ask(-2))
  await assert.rejects(ask(-3), away)
})
