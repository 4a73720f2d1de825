import type { Reach } from '../../../model/settings/index.ts'
import { refusePage } from '../answer-status.ts'
import { jsonObjects } from '../json-records.ts'
import type { Answer } from '../outgoing.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import { type Sink, SinkError } from '../sink.ts'

/** Splunk Cloud accepts 1 MB per request by the collector's own defaults; on premises much more. */
const caps = { bytes: 800_000 }

/**
 * Splunk's HTTP Event Collector: lines go to the raw endpoint, `{"event":…}` objects to the event endpoint. Splunk
 * does not deduplicate.
 * @source Splunk, "HTTP Event Collector REST API endpoints", error codes
 */
export function openSplunk(settings: ReceiverSettings, reach: Reach): Sink {
  const isRaw = settings.url.pathname.includes('/raw')
  return openReceiver(
    settings,
    {
      caps,
      contentType: isRaw ? 'text/plain; charset=utf-8' : 'application/json',
      ...(isRaw
        ? {}
        : {
            encode(part, batch) {
              const said = metadataOf(settings)
              return jsonObjects(part, batch.frame)
                .map((object, n) => {
                  const { happenedMs } = batch.origin(part.first + n)
                  return `{"time":${(happenedMs / 1000).toFixed(3)},${said}"event":${object}}`
                })
                .join('')
            },
          }),
      accept: checkCode,
      advice,
    },
    reach,
  )
}

/**
 * The address parameters of the raw endpoint, as members of an event: the event endpoint reads them only there.
 * @source Splunk, "Format events for HTTP Event Collector", event metadata
 */
function metadataOf({ url }: ReceiverSettings): string {
  return ['sourcetype', 'source', 'host', 'index']
    .flatMap(name => {
      const value = url.searchParams.get(name)
      return value === null ? [] : [`"${name}":${JSON.stringify(value)},`]
    })
    .join('')
}

/** `{"text":"Success","code":0}`; SentinelOne's answer may be empty. */
function checkCode(answer: Answer, { url }: ReceiverSettings): undefined {
  const { status, body } = answer
  refusePage(answer, url.host)
  const code = /"code"\s*:\s*(\d{1,4})\b/.exec(body.toString('utf8'))?.[1]
  if (code === undefined || code === '0') return
  const message = `${url.host} answered ${status} with the error code ${code}`
  throw new SinkError(`code-${code}`, 'later', message, { status })
}

function advice(status: number): string | undefined {
  switch (status) {
    case 400:
      return 'the channel, the index or the sourcetype was refused'
    case 401:
    case 403:
      return 'the token is wrong or disabled'
    case 404:
      return 'the HTTP Event Collector is not enabled there'
    case 503:
      return 'the collector is busy'
    default:
      return undefined
  }
}
