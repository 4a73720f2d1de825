import type { DestinationReach } from '../../../model/settings.ts'
import type { Answer } from '../../outgoing.ts'
import { jsonObjects } from '../json-records.ts'
import { openReceiver } from '../receiver.ts'
import type { ReceiverSettings } from '../receiver-settings.ts'
import { type Sink, SinkError } from '../sink.ts'

/** What Splunk Cloud takes in a request is 1 MB by default in the collector's own limits; on premises much more. */
const bytesMax = 800_000

/**
 * Splunk's HTTP Event Collector: lines to the raw endpoint, `{"event":…}` objects to the event endpoint. It does not
 * tell a replay.
 * @source Splunk, "HTTP Event Collector REST API endpoints", error codes
 */
export function openSplunk(settings: ReceiverSettings, reach: DestinationReach): Sink {
  const isRaw = settings.url.pathname.includes('/raw')
  return openReceiver(
    settings,
    {
      caps: { bytes: bytesMax },
      contentType: isRaw ? 'text/plain; charset=utf-8' : 'application/json',
      ...(isRaw
        ? {}
        : {
            encode: (part, batch) =>
              jsonObjects(part, batch.frame)
                .map(object => `{"event":${object}}`)
                .join(''),
          }),
      accept: checkCode,
      advice,
    },
    reach,
  )
}

/** `{"text":"Success","code":0}`; SentinelOne's answer may be empty. */
function checkCode({ status, body }: Answer, { url }: ReceiverSettings): undefined {
  const code = /"code"\s*:\s*(\d{1,4})\b/.exec(body.toString('utf8'))?.[1]
  if (code === undefined || code === '0') return
  const message = `${url.host} answered ${status} with the error code ${code}`
  throw new SinkError(`code-${code}`, 'later', message, { status })
}

function advice(status: number): string | undefined {
  switch (status) {
    case 400:
      return 'the channel, the index or the sourcetype is not taken'
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
