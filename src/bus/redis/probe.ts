import { performance } from 'node:perf_hooks'
import { reasonOf } from '../faults.ts'
import { connectRedis, type RedisConnection, type RedisOptions } from './connection.ts'
import { exchangeCounts, fromStart } from './exchange.ts'

export interface RedisProbe {
  /** `redis 7.0.15` or `valkey 8.1.0`. */
  readonly server: string
  /** Of one exchange of counts: the median of five. */
  readonly roundTripMs: number
}

const periodMs = 1000

/**
 * Exchanges a count that no client has and that ends after a second, as machines do: it is limited, so that the server
 * lists it, and each exchange reads the list from where the one before has ended.
 * @throws with the reason of the server or the network if machines cannot share counts through it
 */
export async function probeRedis(options: RedisOptions): Promise<RedisProbe> {
  try {
    const connection = await connectRedis(options)
    return await probe(connection, options.prefix).finally(() => connection.close())
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error })
  }
}

async function probe(connection: RedisConnection, prefix: string): Promise<RedisProbe> {
  // Every user may send HELLO, unlike INFO.
  const hello = (await connection.send(['HELLO'])) as readonly unknown[]
  const said = (word: string) => hello[hello.indexOf(word) + 1]
  const times: number[] = []
  const hash = crypto.getRandomValues(new Uint32Array(4))
  let after = fromStart
  for (let round = 0; round < 5; round++) {
    const nowMs = Date.now()
    const endMs = nowMs + periodMs
    const own = { hash, count: 1, periodMs, periodEndMs: endMs, sharedEndMs: 0, limitedUntilMs: endMs }
    const exchange = { prefix, machine: 'probe', after, counts: [own] }
    const before = performance.now()
    const { last } = await exchangeCounts(connection, exchange, nowMs)
    after = last
    times.push(performance.now() - before)
  }
  const server = `${said('server')} ${said('version')}`
  return { server, roundTripMs: times.sort((a, b) => a - b)[2]! }
}
