import type { RecordWriter, StoredRecord } from '../../bus/port.ts'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { TracedRecords } from '../../model/request-trace.ts'
import type { JsonObject } from '../../model/resource.ts'

/** Only a real connection has these. */
const ofConnections = ['ClientSrcPort', 'EdgeResponseBytes']

/** What the connection to the origin, and its answer, would say. */
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

/** Takes the records of one request and writes them nowhere. */
export class KeptRecords implements RecordWriter {
  readonly #records: StoredRecord[] = []

  append(record: string): void {
    this.#records.push(JSON.parse(record) as StoredRecord)
  }

  flush(): Promise<void> {
    return Promise.resolve()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  /** @param unanswered the edge did not answer itself */
  traced(unanswered: boolean): TracedRecords {
    const notKnown = unanswered ? [...ofConnections, ...ofAnswers].sort() : ofConnections
    const known = ({ fields }: StoredRecord): JsonObject =>
      Object.fromEntries(Object.entries(fields as JsonObject).filter(([name]) => !notKnown.includes(name)))
    const requests = this.#records.filter(({ dataset }) => dataset === httpRequests.name)
    const events = this.#records.filter(({ dataset }) => dataset === firewallEvents.name)
    return { httpRequests: known(requests[0]!), firewallEvents: events.map(known), notKnown }
  }
}
