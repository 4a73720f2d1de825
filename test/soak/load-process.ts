import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { summarize } from '../../bench/support/latencies.ts'
import { host, requestOf, servedText } from './requests.ts'

/** The clients, in a separate process. Half of the requests come by TLS. */
export interface LoadOrder {
  readonly seed: number
  readonly httpUrl: string
  readonly httpsUrl: string
  /** Of the edge's certificate, PEM. */
  readonly root: string
}

export type ToLoad =
  | { readonly order: LoadOrder }
  /** As many requests as the edge answers. */
  | { readonly fullForMs: number }
  /** So many a second, whether or not answers come. */
  | { readonly perSecond: number }
  /** The figures since the last ones. */
  | 'look'
  /** No more requests; those under way come to their end. */
  | 'end'

export interface LoadFigures {
  /** All requests from the beginning, answered as they should be or not. */
  readonly sent: number
  readonly answered: number
  readonly failures: readonly string[]
  /** From the moment when a request was due to its whole answer. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const parallel = 32
/** Then it comes with a new handshake. */
const requestsPerConnection = 500
const answerTimeoutMs = 30_000

let seed = 0
let pools: readonly Pool[] = []
let sent = 0
let answered = 0
let latencies: number[] = []
let failures: string[] = []
let isOver = false
const pending = new Set<Promise<void>>()

process.on('message', async (message: ToLoad) => {
  if (message === 'look') tell()
  else if (message === 'end') {
    isOver = true
    await Promise.all(pending)
    tell()
  } else if ('order' in message) {
    begin(message.order)
    tell()
  } else if ('fullForMs' in message) {
    await full(message.fullForMs)
    tell()
  } else await hold(message.perSecond)
})
process.on('disconnect', () => process.exit(0))

function begin(order: LoadOrder): void {
  seed = order.seed
  const options = {
    connections: parallel / 2,
    maxRequestsPerClient: requestsPerConnection,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
  }
  pools = [
    new Pool(order.httpUrl, options),
    new Pool(order.httpsUrl, { ...options, connect: { ca: order.root, servername: host } }),
  ]
}

function tell(): void {
  const { p50Ms, p99Ms } = summarize(latencies)
  const maxMs = latencies.reduce((most, one) => Math.max(most, one), 0)
  process.send!({ sent, answered, failures, p50Ms, p99Ms, maxMs } satisfies LoadFigures)
  latencies = []
  failures = []
}

async function full(forMs: number): Promise<void> {
  const endMs = performance.now() + forMs
  const client = async () => {
    while (performance.now() < endMs) await send(performance.now())
  }
  await Promise.all(Array.from({ length: parallel }, client))
}

async function hold(perSecond: number): Promise<void> {
  const startMs = performance.now()
  for (let due = 0; !isOver; await sleep(5))
    for (const nowMs = performance.now(); ; due++) {
      const dueMs = startMs + (due * 1000) / perSecond
      if (dueMs > nowMs) break
      const sending = send(dueMs).finally(() => pending.delete(sending))
      pending.add(sending)
    }
}

async function send(dueMs: number): Promise<void> {
  const n = sent++
  const { method, path, body, status } = requestOf(seed, n)
  const headers = {
    host,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
    accept: 'text/html,*/*',
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  try {
    const answer = await pools[n % 2]!.request({ method, path, headers, body: body ?? null })
    const text = await answer.body.text()
    if (answer.statusCode !== status) throw new Error(`${answer.statusCode} instead of ${status}`)
    if (status === 200 && text !== servedText) throw new Error(`another body: ${text.slice(0, 80)}`)
    answered++
  } catch (error) {
    failures.push(`${new Date().toISOString()} ${method} ${path}: ${(error as Error).message}`)
  }
  latencies.push(performance.now() - dueMs)
}
