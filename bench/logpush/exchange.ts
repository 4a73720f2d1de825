import type { RecordWriter } from '../../src/bus/index.ts'
import type { OriginReport } from '../../src/edge/exchange/answer.ts'
import type { EdgeCore } from '../../src/edge/exchange/core.ts'
import { Exchange } from '../../src/edge/exchange/exchange.ts'
import { ClientRequest } from '../../src/edge/message/client-request.ts'
import type { HeaderLines } from '../../src/edge/message/headers.ts'
import { writeEvents, writeRequest } from '../../src/edge/records/write.ts'
import { planFor } from '../../src/edge/testing/fixture.ts'
import type { Zone } from '../../src/model/resource.ts'
import type { LogFields, ZonePlan } from '../../src/rulesets/plan/plan.ts'
import { nowhere } from '../../src/rulesets/testing/request-view.ts'
import { Random } from '../support/random.ts'

const startedMs = 1_777_593_600_000
const random = new Random()
const client = { hasLeft: false, responseBytes: 5500 }

/** As a browser sends them. */
function requestHeaders(): HeaderLines {
  return [
    ['Host', 'shop.example.com'],
    [
      'User-Agent',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['Accept-Language', 'en-GB,en;q=0.9'],
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['Referer', `https://shop.example.com/catalogue/${random.word()}/`],
    ['Cookie', `theme=dark; session=${random.token(32)}; basket=${random.hex(16)}`],
  ]
}

export function planOf(zone?: Zone, logFields: Partial<LogFields> = {}): ZonePlan {
  const plan = planFor('http://127.0.0.1:9000', { logFields })
  return zone === undefined ? plan : { ...plan, zone }
}

/** An ended request: its zone was found, the origin asked and the response sent. */
export function endedExchange(plan: ZonePlan): Exchange {
  const clientIp = `198.51.100.${random.number(256)}`
  const target = `/catalogue/${random.word()}/${random.word()}/${random.number(10_000)}.html?page=${random.number(9)}&sort=price&colour=green`
  const request = new ClientRequest(
    { method: 'GET', target, protocol: 'HTTP/1.1', headers: requestHeaders() },
    {
      address: { clientIp, peerIp: clientIp, peerTrusted: false, scheme: 'http', forwardedFor: [] },
      tls: undefined,
      clientPort: 1024 + random.number(60_000),
      serverIp: '192.0.2.1',
      serverPort: 80,
    },
  )
  const known = { rayId: random.hex(16), plan, startedMs, geo: () => nowhere, cleared: false }
  const exchange = new Exchange(request, known, client, undefined)
  const headers: HeaderLines = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT'],
    ['Content-Length', '5120'],
  ]
  const { answer } = exchange
  answer.origin = {
    upstream: { hostHeader: 'shop.example.com' } as OriginReport['upstream'],
    startedMs: startedMs + 1,
    headMs: startedMs + 12,
    endedMs: startedMs + 15,
    // A tenth of the requests, so that a filter can choose.
    status: random.number(10) === 0 ? 404 : 200,
    headers,
    bodyBytes: 5120,
    link: undefined,
  }
  answer.begin(answer.origin.status, headers, startedMs + 13)
  answer.bodyBytes = 5120
  return exchange
}

/** The edge's work at the end of a request. */
export function capture(writer: Pick<RecordWriter, 'append'>, exchange: Exchange): void {
  const core = { deps: { records: writer } } as EdgeCore
  const texts = writeRequest(core, exchange, startedMs + 16)
  writeEvents(core, exchange, startedMs + 16, texts, undefined)
}

/** Records as they are in the spool. */
export function sampleRecords(count: number, zone?: Zone): readonly string[] {
  const plan = planOf(zone)
  const records: string[] = []
  const writer = { append: (record: string) => void records.push(Buffer.from(record).toString()) }
  for (let i = 0; i < count; i++) capture(writer, endedExchange(plan))
  return records
}
