import { connect } from 'node:net'
import { driveHttp2 } from './http2-load.ts'
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

export interface LoadResult {
  readonly requestsPerSecond: number
  /** All of them, including those before the measured time. */
  readonly answers: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly p99MsByName: Readonly<Record<string, number>>
  /** Responses with another status; if not 0, the figures are meaningless. */
  readonly others: number
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    result => process.send!(result),
    error => {
      console.error(`bench: ${error.message}`)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))

async function run(order: LoadOrder): Promise<LoadResult> {
  const { requests, names, status: wanted, connections, warmUpMs, measuredMs } = order
  const beginMs = performance.now() + warmUpMs
  const endMs = beginMs + measuredMs
  const latencies: number[][] = requests.map(() => [])
  let answers = 0
  let others = 0
  const took: Took = (index, sentMs, status) => {
    answers++
    if (status !== wanted) others++
    if (sentMs >= beginMs) latencies[index]!.push(performance.now() - sentMs)
    return performance.now() < endMs
  }
  const turns = new Turns(requests, order.varied ?? false)
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      order.http2 === true
        ? driveHttp2(order.port, requests, index % requests.length, (...answer) => took(0, ...answer))
        : drive(order, turns, took),
    ),
  )
  const all = sorted(latencies.flat())
  const byName = Map.groupBy(latencies.keys(), index => names?.[index] ?? '')
  return {
    requestsPerSecond: all.length / (measuredMs / 1000),
    p50Ms: part(all, 0.5),
    p95Ms: part(all, 0.95),
    p99Ms: part(all, 0.99),
    p99MsByName: Object.fromEntries(
      [...byName].map(([name, indexes]) => [
        name,
        part(sorted(indexes.flatMap(index => latencies[index]!)), 0.99),
      ]),
    ),
    answers,
    others,
  }
}

/** @returns whether to continue */
type Took = (index: number, sentMs: number, status: number) => boolean

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b)
}

function part(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
}

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
    socket.on('connect', send)
    socket.on('data', onData)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed in the middle')))
  })
}

const lastChunk = '0\r\n\r\n'

/** A response's status and whole length, infinite if it is chunked; its head is small enough to arrive in one piece. */
function readHead(chunk: Buffer): { readonly status: number; readonly bytes: number } {
  const end = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)
  const status = Number(head.slice(9, 12))
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return { status, bytes: Number.POSITIVE_INFINITY }
  if (end < 0 || length === null) throw new Error(`an answer without a length: ${head.slice(0, 200)}`)
  return { status, bytes: end + 4 + Number(length[1]) }
}
