import type { DestinationReach } from '../../../model/settings.ts'
import type { Answer } from '../../outgoing.ts'
import { jsonObjects } from '../json-records.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import { type Sink, SinkError } from '../sink.ts'

/** Far below the 100 MB that a server takes by default, so that one request is soon done. */
const caps = { records: 5_000, bytes: 8_000_000 }
/** Of the answer: every item has a status, those that failed a reason as well. */
const answerBytesMax = 16 * 1024 * 1024
const reasonCharacters = 200

/**
 * `_bulk` with `create`. A document's `_id` follows from the batch and its place in it, so a replay creates nothing:
 * 409 says that it is there.
 * @source Elasticsearch, "Bulk API"
 */
export function openElastic(settings: ReceiverSettings, reach: DestinationReach): Sink {
  return openReceiver(
    settings,
    {
      caps,
      contentType: 'application/x-ndjson',
      answerBytesMax,
      encode: (part, batch) =>
        jsonObjects(part, batch.frame)
          .map((object, n) => `{"create":{"_id":"${batch.id}-${part.first + n}"}}\n${object}\n`)
          .join(''),
      accept: checkItems,
      advice,
    },
    reach,
  )
}

interface BulkAnswer {
  readonly errors?: boolean
  readonly items?: readonly { readonly create?: BulkItem }[]
}

interface BulkItem {
  readonly status?: number
  readonly error?: { readonly type?: string; readonly reason?: string }
}

/** 200 stands for the request alone; each document has a status of its own. */
function checkItems({ body, whole }: Answer, host: string): void {
  const answer = parsed(body, host, whole)
  if (answer.errors === false) return
  const failed = (answer.items ?? [])
    .map(item => item.create ?? {})
    .filter(({ status = 500 }) => status !== 409 && (status < 200 || status > 299))
  const [first] = failed
  if (first === undefined) return
  const status = first.status ?? 500
  const reason = `${first.error?.type ?? ''}: ${first.error?.reason ?? ''}`.slice(0, reasonCharacters)
  throw new SinkError(
    `status-${status}`,
    failed.some(({ status: each = 500 }) => each === 429 || each >= 500) ? 'later' : 'never',
    `${host} did not take ${failed.length} documents: ${status} ${reason}${status === 400 ? '; the mapping of the index does not fit the fields of the job' : ''}`,
  )
}

function parsed(body: Buffer, host: string, whole: boolean): BulkAnswer {
  try {
    if (whole) {
      const answer = JSON.parse(body.toString('utf8')) as BulkAnswer
      if (typeof answer.errors === 'boolean') return answer
    }
  } catch {
    // Said below.
  }
  throw new SinkError('broken-answer', 'later', `${host} answered 200 without a result for each document`)
}

function advice(status: number): string | undefined {
  switch (status) {
    case 401:
      return 'the API key or password is wrong'
    case 403:
      return 'the credentials lack the privilege create_doc on the index (and auto_configure or create_index when it is not there)'
    case 404:
      return 'there is no such index, and it may not be created by writing'
    case 413:
      return 'http.max_content_length of the server is below 8 MB'
    default:
      return undefined
  }
}
