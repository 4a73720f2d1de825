import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs, type Clock } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import { reasonOf } from '../faults.ts'
import { busLimits } from '../limits.ts'
import { CountExchange } from '../local/rate-counters/count-exchange.ts'
import type { SharedCounterStats, SharedCounters } from '../port.ts'
import { connectRedis, type RedisConnection, type RedisOptions } from './connection.ts'
import { exchangeCounts, fromStart, limitedKeysPerAnswer } from './exchange.ts'

const retry = { firstMs: 100, longestMs: 5000 } as const

/**
 * Shares the counts in this memory with other machines through a Redis or Valkey server, until it is closed. Requests never
 * wait for it.
 * @param memory of `newRateMemory`, with a secret that all machines have
 * @param onChange when `away` changes, with its new value
 */
export function openRedisCounters(
  memory: SharedArrayBuffer,
  options: RedisOptions,
  clock: Clock,
  onChange: (away: string | undefined) => void,
): SharedCounters {
  return new RedisCounters(memory, options, clock, onChange)
}

class RedisCounters implements SharedCounters {
  readonly #memory: CountExchange
  readonly #options: RedisOptions
  readonly #clock: Clock
  readonly #onChange: (away: string | undefined) => void
  /** Counts of an earlier process stay those of another machine. */
  readonly #machine = newId().slice(0, 12)
  readonly #closing = new AbortController()
  readonly #ended: Promise<void>
  readonly #stats = { exchanges: 0, counts: 0, failures: 0 }
  #away: string | undefined = 'there is no connection yet'
  #told = false

  constructor(
    memory: SharedArrayBuffer,
    options: RedisOptions,
    clock: Clock,
    onChange: (away: string | undefined) => void,
  ) {
    this.#memory = new CountExchange(memory)
    this.#options = options
    this.#clock = clock
    this.#onChange = onChange
    this.#ended = this.#run()
  }

  get away(): string | undefined {
    return this.#away
  }

  get stats(): SharedCounterStats {
    return this.#stats
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#memory.wake()
    await this.#ended
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#closing.signal.aborted) {
      try {
        const connection = await connectRedis(this.#options)
        try {
          await this.#share(connection, () => {
            failures = 0
          })
        } finally {
          connection.close()
        }
      } catch (error) {
        failures++
        this.#stats.failures++
        this.#setAway(reasonOf(error))
        await sleep(backoffMs(retry, failures), undefined, { signal: this.#closing.signal }).catch(() => {})
      }
    }
  }

  /** Until it is closed, with the last counts. @throws when the server is away */
  async #share(connection: RedisConnection, onSuccess: () => void): Promise<void> {
    // A server that was restarted, or another one, may know nothing.
    this.#memory.retakeAll(this.#clock.nowMs())
    let after = fromStart
    for (;;) {
      const isLast = this.#closing.signal.aborted
      const { last, isMore } = await this.#exchange(connection, after)
      after = last
      onSuccess()
      this.#setAway(undefined)
      if (isLast) return
      await sleep(busLimits.sharedCountsNearMs)
      if (!isMore) await this.#memory.nearLimit(busLimits.sharedCountsMs - busLimits.sharedCountsNearMs)
    }
  }

  async #exchange(
    connection: RedisConnection,
    after: string,
  ): Promise<{ readonly last: string; readonly isMore: boolean }> {
    const nowMs = this.#clock.nowMs()
    const counts = this.#memory.take(busLimits.sharedCountsMax, nowMs)
    const { prefix } = this.#options
    const exchange = { prefix, machine: this.#machine, after, counts }
    const { last, limited, shared } = await exchangeCounts(connection, exchange, nowMs)
    for (const [at, count] of counts.entries()) this.#memory.put(count, shared[at]!)
    for (const { hash, untilMs } of limited) this.#memory.limit(hash, untilMs)
    this.#stats.exchanges++
    this.#stats.counts += counts.length
    const isMore = counts.length >= busLimits.sharedCountsMax || limited.length >= limitedKeysPerAnswer
    return { last, isMore }
  }

  /** The first report of an outage and of its end is enough. */
  #setAway(reason: string | undefined): void {
    const isNews = reason === undefined ? this.#away !== undefined : this.#away === undefined || !this.#told
    this.#away = reason
    this.#told = true
    if (isNews) this.#onChange(reason)
  }
}
