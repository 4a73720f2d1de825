import type { Reach } from '../../../model/settings/index.ts'
import { foreignAnswer, refusalOptions, retryOf } from '../answer-status.ts'
import { jsonObjects } from '../json-records.ts'
import { destinationLimits } from '../limits.ts'
import type { Answer } from '../outgoing.ts'
import type { Part, Refused } from '../parts.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import { recordIds } from '../record-id.ts'
import { withoutSecrets } from '../secrets.ts'
import { type Sink, SinkError } from '../sink.ts'

/** Far below the 100 MB that a server accepts by default, so that each request is short. */
const caps = { records: 5_000, bytes: 8_000_000 }
const reasonCharacters = 200

/**
 * `_bulk` with `create`. A document's `_id` is its record's id, so a repeated document creates nothing: 409 means
 * that it exists.
 * @source Elasticsearch, "Bulk API"
 */
export function openElastic(settings: ReceiverSettings, reach: Reach): Sink {
  return openReceiver(
    settings,
    {
      caps,
      contentType: 'application/x-ndjson',
      answerBytesMax: destinationLimits.elasticAnswerBytesMax,
      encode(part, batch) {
        const idOf = recordIds(batch)
        return jsonObjects(part, batch.frame)
          .map((object, n) => `{"create":{"_id":"${idOf(part.first + n)}"}}\n${object}\n`)
          .join('')
      },
      accept: checkItems,
      advice,
    },
    reach,
  )
}

interface BulkAnswer {
  readonly errors?: boolean
  readonly items?: readonly { readonly create?: Partial<BulkItem> }[]
}

interface BulkItem {
  readonly status: number
  readonly error?: { readonly type?: string; readonly reason?: string }
}

/**
 * 200 describes the request only; each document has its own status. A document that does not fit the mapping never
 * will, so the others are accepted without it.
 */
function checkItems(given: Answer, { url, secrets }: ReceiverSettings, { count }: Part): Refused | undefined {
  const answer = parsed(given, url.host)
  if (answer.errors === false) return undefined
  const items = answer.items ?? []
  if (items.length !== count) throw brokenAnswer(given, url.host)
  const failed = items
    .map(item => ({ status: 500, ...item.create }))
    .filter(({ status }) => status !== 409 && (status < 200 || status > 299))
  const words = ({ status, error }: BulkItem) =>
    withoutSecrets(`${status} ${error?.type ?? ''}: ${error?.reason ?? ''}`, secrets).slice(
      0,
      reasonCharacters,
    )
  const waiting = failed.find(item => !isUnfit(item))
  if (waiting !== undefined) {
    const { status, error } = waiting
    throw new SinkError(
      `status-${status}`,
      // A full disk closes its indices for writing until space is free.
      error?.type === 'cluster_block_exception' ? 'later' : retryOf(status),
      `${url.host} did not accept ${failed.length} documents: ${words(waiting)}`,
      refusalOptions({ status, headers: given.headers }),
    )
  }
  const [first] = failed
  return first === undefined
    ? undefined
    : {
        count: failed.length,
        status: first.status,
        why: `${words(first)}; the mapping of the index does not fit the fields of the job`,
      }
}

function isUnfit({ status }: BulkItem): boolean {
  return status === 400 || status === 413 || status === 422
}

function parsed(given: Answer, host: string): BulkAnswer {
  try {
    if (given.whole) {
      const answer = JSON.parse(given.body.toString('utf8')) as BulkAnswer
      if (typeof answer.errors === 'boolean') return answer
    }
  } catch {
    // Explained below.
  }
  throw brokenAnswer(given, host)
}

function brokenAnswer(given: Answer, host: string): SinkError {
  return foreignAnswer(given, host, 'a result for each document')
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
