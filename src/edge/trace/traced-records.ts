import type { RecordWriter, StoredRecord } from '../../bus/port.ts'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { TracedRecords } from '../../model/request-trace.ts'
import type { JsonObject } from '../../model/resource.ts'

/** Fields that need a real connection. */
const ofConnections = ['ClientSrcPort', 'EdgeResponseBytes']

/** Fields that need a connection to the origin, or its response. */
const ofAnswers = [
  'CacheCacheStatus',
  'EdgeEndTimestamp',
  'EdgeRequestHost',
  'EdgeResponseBodyBytes',
  'EdgeResponseContentType',
  'EdgeResponseStatus',
  'EdgeServerIP',
  'EdgeTimeToFirstByteMs',
  'OriginIP',
  'OriginResponseBytes',
  'OriginResponseDurationMs',
  'OriginResponseHTTPExpires',
  'OriginResponseHTTPLastModified',
  'OriginResponseHeaderReceiveDurationMs',
  'OriginResponseStatus',
  'OriginResponseTime',
  'OriginSSLProtocol',
  'ResponseHeaders',
]

/** Keeps the records of one request in memory. */
export class KeptRecords implements RecordWriter {
  readonly full = undefined
  readonly #records: StoredRecord[] = []

  append(record: string): void {
    this.#records.push(JSON.parse(record) as StoredRecord)
  }

  handedOver(): Promise<void> {
    return Promise.resolve()
  }

  flush(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  /** @param unanswered the edge would forward the request */
  traced(unanswered: boolean): TracedRecords {
    const notKnown = unanswered ? [...ofConnections, ...ofAnswers].sort() : ofConnections
    const known = ({ fields }: StoredRecord): JsonObject =>
      Object.fromEntries(Object.entries(fields as JsonObject).filter(([name]) => !notKnown.includes(name)))
    const requests = this.#records.filter(({ dataset }) => dataset === httpRequests.name)
    const events = this.#records.filter(({ dataset }) => dataset === firewallEvents.name)
    return { httpRequests: known(requests[0]!), firewallEvents: events.map(known), notKnown }
  }
}
