import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '../../store/port/error.ts'
import { refusal } from './errors.ts'
import { apiLimits } from './limits.ts'

/**
 * Runs work with the same key one at a time, so that concurrent writes of one resource do not conflict. Other processes
 * may still write in between; the store detects it, and `write` tries again.
 */
export class KeyedQueue {
  readonly #queues = new Map<string, { tail: Promise<unknown>; waiting: number }>()

  /** @throws ApiError 429 if too many wait already */
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

  /**
   * Runs a read and the write based on it, and repeats both if another process wrote in between.
   * @param attempt reads, checks and writes; the store refuses the write (`stale`) if the state has changed since the read
   * @throws ApiError 429 if other processes were faster each time
   */
  async write<T>(key: string, attempt: () => Promise<T>): Promise<T> {
    return this.run(key, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt()
        } catch (error) {
          if (!(error instanceof StoreError && error.code === 'stale')) throw error
          if (tries === apiLimits.writeTriesMax) throw refusal('tooManyWrites')
        }
        await sleep(Math.random() * tries)
      }
    })
  }
}
