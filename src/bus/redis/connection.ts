import { readFile } from 'node:fs/promises'
import { createClient } from '@redis/client'
import { busLimits } from '../limits.ts'

export interface RedisOptions {
  /** `redis://` or `rediss://`, with user, password and number of the database. */
  readonly url: string
  /** A file with the certificate of the authority that signs the server's certificate; with it, TLS is used. */
  readonly ca: string | undefined
  /** All keys begin with it. */
  readonly prefix: string
}

export interface RedisConnection {
  /** @throws if the server refuses it, or has not answered in time; then the connection is of no use */
  send(words: readonly string[]): Promise<unknown>
  close(): void
}

/**
 * One connection, which is not made again when it is lost.
 * @throws if the server does not take it in time, and if the file cannot be read
 */
export async function connectRedis({ url, ca }: RedisOptions): Promise<RedisConnection> {
  // Parsed, because the client's error about a protocol without TLS has the URL with its password.
  const address = new URL(url)
  if (ca !== undefined) address.protocol = 'rediss:'
  const client = createClient({
    url: address.href,
    // Enough for one script, and any server and any set of permissions can do it.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: {
      reconnectStrategy: false,
      connectTimeout: busLimits.redisAnswerMs,
      ...(ca === undefined ? {} : { tls: true, ca: await readFile(ca, 'utf8') }),
    },
  })
  // A lost connection also fails the command that waits, and the next one.
  client.on('error', () => {})
  const close = () => {
    if (client.isOpen) client.destroy()
  }
  try {
    await inTime(client.connect())
  } catch (error) {
    close()
    throw error
  }
  return { send: words => inTime(client.sendCommand(words)), close }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new Error(`the server has not answered for ${busLimits.redisAnswerMs} ms`)
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, busLimits.redisAnswerMs, late)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}
