import type { OwnCount, SharedCount } from '../local/rate-counters/count-exchange.ts'
import type { RedisConnection } from './connection.ts'
import { exchangeScript } from './exchange-script.ts'

/** Where an exchange begins in the server's list of limited keys. */
export const fromStart = '-'

/** Most limited keys in one answer. */
export const limitedKeysPerAnswer = 1000

export interface Exchange {
  /** Of the keys in the server. */
  readonly prefix: string
  /** Name of this machine's counts; no other process has it, and no earlier one had it. */
  readonly machine: string
  /** `last` of the answer before, or `fromStart`. */
  readonly after: string
  readonly counts: readonly OwnCount[]
}

export interface ExchangeAnswer {
  readonly last: string
  /** Keys that some machine has limited since then. */
  readonly limited: readonly { readonly hash: Uint32Array; readonly untilMs: number }[]
  /** For each count of the exchange. */
  readonly shared: readonly SharedCount[]
}

/**
 * Tells the server this machine's counts, and learns those of the others.
 * @param nowMs the machine's time. All times of the answer are its own, too early by the way to the server. Times of a
 *   count that goes there and comes back are equal.
 */
export async function exchangeCounts(
  connection: RedisConnection,
  { prefix, machine, after, counts }: Exchange,
  nowMs: number,
): Promise<ExchangeAnswer> {
  const keyPrefix = `${prefix}rate:`
  const keys = counts.map(({ hash }) => keyPrefix + textOf(hash))
  const leftOf = (endMs: number) => Math.max(0, endMs - nowMs)
  const numbers = counts.flatMap(({ count, periodMs, periodEndMs, sharedEndMs, limitedUntilMs }) =>
    [count, periodMs, leftOf(periodEndMs), sharedEndMs, leftOf(limitedUntilMs)].map(String),
  )
  const head = ['EVAL', exchangeScript, String(keys.length + 1), `${prefix}limited`]
  const reply = await connection.send([
    ...head,
    ...keys,
    machine,
    after,
    String(limitedKeysPerAnswer),
    ...numbers,
  ])
  const [last, limitedKeys, ...rest] = reply as [string, number, ...(string | number)[]]
  const limited = []
  for (let at = 0; at < limitedKeys * 2; at += 2) {
    const hash = hashOf(String(rest[at]).slice(keyPrefix.length))
    if (hash !== undefined) limited.push({ hash, untilMs: nowMs + Number(rest[at + 1]) })
  }
  const shared = counts.map((_, index) => {
    const at = limitedKeys * 2 + index * 4
    const [others, left, sharedEndMs, limitedLeft] = rest.slice(at, at + 4).map(Number)
    return {
      others: others!,
      periodEndMs: nowMs + left!,
      sharedEndMs: sharedEndMs!,
      limitedUntilMs: limitedLeft! > 0 ? nowMs + limitedLeft! : 0,
    }
  })
  return { last, limited, shared }
}

function textOf(hash: Uint32Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64url')
}

/** Undefined for a key that is not of this form. */
function hashOf(text: string): Uint32Array | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === 16 ? new Uint32Array(new Uint8Array(bytes).buffer) : undefined
}
