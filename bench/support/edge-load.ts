import { connect } from 'node:net'
import { driveHttp2 } from './http2-load.ts'

/** The task of a load generator process: every connection sends one request after the other. */
export interface LoadOrder {
  readonly port: number
  /** Of the clients; by default, the system chooses. */
  readonly address?: string
  /** The port speaks TLS, and the requests go over HTTP/2. */
  readonly http2?: boolean
  /** Complete requests in wire form; they take turns. */
  readonly requests: readonly string[]
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
  const { requests, status: wanted, connections, warmUpMs, measuredMs } = order
  const wire = requests.map(request => Buffer.from(request, 'latin1'))
  const beginMs = performance.now() + warmUpMs
  const endMs = beginMs + measuredMs
  const latencies: number[] = []
  let answers = 0
  let others = 0
  const took = (sentMs: number, status: number) => {
    answers++
    if (status !== wanted) others++
    if (sentMs >= beginMs) latencies.push(performance.now() - sentMs)
    return performance.now() < endMs
  }
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      order.http2 === true
        ? driveHttp2(order.port, requests, index % requests.length, took)
        : drive(order, wire, index % wire.length, took),
    ),
  )
  latencies.sort((a, b) => a - b)
  const at = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0
  return {
    requestsPerSecond: latencies.length / (measuredMs / 1000),
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    answers,
    others,
  }
}

/** One connection. @param took returns whether to continue */
function drive(
  { port, address }: LoadOrder,
  wire: readonly Buffer[],
  first: number,
  took: (sentMs: number, status: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address, noDelay: true })
    let next = first
    let sentMs = 0
    let missing = 0
    let status = 0
    let tail = ''
    const send = () => {
      sentMs = performance.now()
      socket.write(wire[next]!)
      next = (next + 1) % wire.length
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
      if (took(sentMs, status)) send()
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
