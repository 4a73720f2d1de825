import { apiLimits } from '../kit/limits.ts'
import { refusal } from './errors.ts'

/**
 * Lets writes to the same resource wait for each other, so that clients that send many at once do not trip over
 * versions. Other processes may still write in between; the store notices that.
 */
export class Turns {
  readonly #queues = new Map<string, { tail: Promise<unknown>; waiting: number }>()

  /** @throws ApiError 429 when too many wait already */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { tail: Promise.resolve(), waiting: 0 }
    if (queue.waiting >= apiLimits.waitingWritesMax) throw refusal('tooManyWrites')
    this.#queues.set(key, queue)
    queue.waiting++
    const mine = queue.tail.then(work)
    queue.tail = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      if (--queue.waiting === 0) this.#queues.delete(key)
    }
  }
}
