import { connect } from 'node:net'
import { driveHttp2 } from './http2-load.ts'
import { type Latencies, summarize } from './latencies.ts'
import { WireRequest } from './wire-request.ts'

/** The task of a load generator process: every connection sends one request after the other. */
export interface LoadOrder {
  readonly port: number
  /** Of the clients; by default, the system chooses. */
  readonly address?: string
  /** The port speaks TLS, and the requests go over HTTP/2. */
  readonly http2?: boolean
  /** Complete requests in wire form; they take turns. */
  readonly requests: readonly string[]
  /** The letters and digits of values differ in each request; otherwise the same requests are repeated. */
  readonly varied?: boolean
  /** A name for each request, to have latencies by name. */
  readonly names?: readonly string[]
  /** Expected status of every response. */
  readonly status: number
  readonly connections: number
  /** Warm-up, not measured: connections open, code is compiled. */
  readonly warmUpMs: number
  readonly measuredMs: number
}

export interface LoadResult extends Latencies {
  readonly requestsPerSecond: number
  /** All of them, including those before the measured time. */
  readonly answers: number
  readonly byName: Readonly<Record<string, Latencies>>
  /** Responses with another status than expected; if not 0, the figures are meaningless. */
  readonly others: number
  /** How many of them had which status. */
  readonly otherStatuses: Readonly<Record<number, number>>
}

/** The generator's message about an order. */
export type LoadReply = LoadResult | { readonly failure: string }

process.on('message', (order: LoadOrder) => {
  run(order).then(
    result => process.send!(result satisfies LoadReply),
    (error: Error) => process.send!({ failure: error.message } satisfies LoadReply),
  )
})
process.on('disconnect', () => process.exit(0))

async function run(order: LoadOrder): Promise<LoadResult> {
  const { requests, names, status: wanted, connections, warmUpMs, measuredMs } = order
  const beginMs = performance.now() + warmUpMs
  const endMs = beginMs + measuredMs
  const latencies: number[][] = requests.map(() => [])
  const otherStatuses: Record<number, number> = {}
  let answers = 0
  let others = 0
  const took: Took = (index, sentMs, status) => {
    answers++
    if (status !== wanted) {
      others++
      otherStatuses[status] = (otherStatuses[status] ?? 0) + 1
    }
    if (sentMs >= beginMs) latencies[index]!.push(performance.now() - sentMs)
    return performance.now() < endMs
  }
  const turns = new Turns(requests, order.varied ?? false)
  const ends = await Promise.allSettled(
    Array.from({ length: connections }, (_, index) =>
      order.http2 === true
        ? driveHttp2(order.port, requests, index % requests.length, (...answer) => took(0, ...answer))
        : drive(order, turns, took),
    ),
  )
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const all = latencies.flat()
  const byName = Map.groupBy(latencies.keys(), index => names?.[index] ?? '')
  return {
    requestsPerSecond: all.length / (measuredMs / 1000),
    ...summarize(all),
    byName: Object.fromEntries(
      [...byName].map(([name, indexes]) => [name, summarize(indexes.flatMap(index => latencies[index]!))]),
    ),
    answers,
    others,
    otherStatuses,
  }
}

/** @returns whether to continue */
type Took = (index: number, sentMs: number, status: number) => boolean

/** All connections draw from the same row of requests, so that each has its share even if some answers take long. */
class Turns {
  readonly #requests: readonly WireRequest[]
  #next = 0

  constructor(requests: readonly string[], varied: boolean) {
    this.#requests = requests.map(request => new WireRequest(request, varied))
  }

  draw(): number {
    const drawn = this.#next
    this.#next = (drawn + 1) % this.#requests.length
    return drawn
  }

  bytes(index: number): Buffer {
    return this.#requests[index]!.next()
  }
}

/** One connection. */
function drive({ port, address }: LoadOrder, turns: Turns, took: Took): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address, noDelay: true })
    let index = 0
    let sentMs = 0
    let missing = 0
    let status = 0
    let tail = ''
    const send = () => {
      index = turns.draw()
      const request = turns.bytes(index)
      sentMs = performance.now()
      socket.write(request)
    }
    const onData = (chunk: Buffer) => {
      if (missing === 0) {
        const head = readHead(chunk)
        if (head === undefined) {
          socket.destroy(new Error(`a response without a length: ${chunk.toString('latin1', 0, 200)}`))
          return
        }
        status = head.status
        missing = head.bytes
      }
      missing -= chunk.length
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - lastChunk.length))).slice(
        -lastChunk.length,
      )
      // The length of a chunked response is infinite until its last chunk is here.
      if (missing === Number.POSITIVE_INFINITY && tail === lastChunk) missing = 0
      if (missing > 0) return
      if (took(index, sentMs, status)) send()
      else socket.end(resolve)
    }
    socket.setTimeout(responseMsMax, () => socket.destroy(new Error('a response is missing')))
    socket.on('connect', send)
    socket.on('data', onData)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed in the middle')))
  })
}

/** A program that is silent for longer has failed. */
const responseMsMax = 30_000
const lastChunk = '0\r\n\r\n'

/**
 * A response's status and whole length, infinite if it is chunked; its head is small enough to arrive in one piece.
 * @returns undefined if it has no length
 */
function readHead(chunk: Buffer): { readonly status: number; readonly bytes: number } | undefined {
  const end = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)
  const status = Number(head.slice(9, 12))
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return { status, bytes: Number.POSITIVE_INFINITY }
  if (end < 0 || length === null) return undefined
  return { status, bytes: end + 4 + Number(length[1]) }
}
