import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { DestinationReach } from '../../model/settings.ts'
import { type Answer, openOutgoing } from '../outgoing.ts'
import { refusalOptions, retryOf } from './answer-status.ts'
import { type Caps, type Part, type Refused, sendParts } from './parts.ts'
import type { ReceiverSettings } from './receiver-settings.ts'
import { withoutSecrets } from './secrets.ts'
import { type Sink, type SinkBatch, SinkError } from './sink.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const gzipped = promisify<Uint8Array | string, Buffer>(gzip)
/** One request of a delivery. */
const requestTimeoutMs = 60_000
/** Characters of a receiver's answer that are shown. */
const shownCharacters = 200

/** What one kind of receiver wants. */
export interface ReceiverKind {
  readonly caps: Caps
  /** Of `Content-Type`, where `header_Content-Type` does not say another. */
  readonly contentType: string
  /** Headers of one part. */
  headers?(part: Part): Readonly<Record<string, string>>
  /**
   * What is sent of a part, uncompressed; without it, the text as the job writes it.
   * @throws SinkError where the job's format does not fit
   */
  encode?(part: Part, batch: SinkBatch): string | Buffer
  /** Bytes of a good answer that `accept` needs. */
  readonly answerBytesMax?: number
  /**
   * Looks at an answer of 2xx.
   * @returns the records that it refuses for good, having taken the others
   * @throws SinkError when it is a refusal all the same
   */
  accept?(answer: Answer, settings: ReceiverSettings, part: Part): Refused | undefined
  /** What to do about a status, in plain words. */
  advice?(status: number): string | undefined
}

/** A receiver that takes batches by POST, gzip-compressed. */
export function openReceiver(settings: ReceiverSettings, kind: ReceiverKind, reach: DestinationReach): Sink {
  const { url, headers, insecure } = settings
  const outgoing = openOutgoing(reach, insecure)
  const send = async (part: Part, batch: SinkBatch, signal: AbortSignal) => {
    const body = kind.encode === undefined ? part.gzip : await gzipped(kind.encode(part, batch))
    const answer = await outgoing.send(
      {
        method: 'POST',
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: {
          'content-type': kind.contentType,
          ...kind.headers?.(part),
          ...headers,
          'content-encoding': 'gzip',
          'user-agent': `Sluice-Logpush/${version}`,
        },
        body,
        ...(kind.answerBytesMax === undefined ? {} : { answerBytesMax: kind.answerBytesMax }),
      },
      AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
    )
    if (answer.status < 200 || answer.status > 299) throw refusalOf(answer, settings, kind)
    return { status: answer.status, refused: kind.accept?.(answer, settings, part) }
  }
  const put: Sink['put'] = async (batch, signal) => {
    let status: number | undefined
    const refused = await sendParts(batch, kind.caps, async part => {
      const taken = await send(part, batch, signal)
      status = taken.status
      return taken.refused
    })
    if (refused === undefined) return status
    throw new SinkError(
      'records-refused',
      'never',
      `${url.host} did not take ${refused.count} of ${batch.records} records, and has the others: ${refused.why}`,
      { status: refused.status },
    )
  }
  return {
    put,
    async probe(batch, signal) {
      await put(batch, signal)
    },
    async leave(path, text, signal) {
      const record = Buffer.from(`${JSON.stringify({ content: text })}\n`)
      const batch = noteBatch(path, record)
      await put(batch, signal)
    },
    close: () => outgoing.close(),
  }
}

/** A batch of one record that is no log line. */
function noteBatch(path: string, record: Buffer): SinkBatch {
  return {
    path,
    id: `note-${Date.now()}`,
    startMs: Date.now(),
    records: 1,
    gzip: gzipSync(record),
    frame: { prefix: '', delimiter: '', suffix: '', sizes: [record.length] },
    text: async () => record,
    sent: new Set(),
  }
}

function refusalOf(answer: Answer, settings: ReceiverSettings, kind: ReceiverKind): SinkError {
  const { status } = answer
  const said = saidBy(answer, settings.secrets)
  const advice = kind.advice?.(status) ?? commonAdvice(status)
  return new SinkError(
    `status-${status}`,
    retryOf(status),
    `${settings.url.host} answered ${status}${advice === undefined ? '' : `, ${advice}`}${said === '' ? '' : `: ${said}`}`,
    refusalOptions(answer),
  )
}

/** The beginning of an answer; the receiver may say back what it was sent. */
function saidBy({ body, whole }: Answer, secrets: readonly string[]): string {
  const text = body.toString('utf8')
  // Where it was cut, a secret may have been cut as well.
  const certain = whole ? text : text.slice(0, Math.max(0, text.length - (secrets[0]?.length ?? 0)))
  return withoutSecrets(certain, secrets)
    .replaceAll(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ')
    .trim()
    .slice(0, shownCharacters)
}

function commonAdvice(status: number): string | undefined {
  if (status >= 300 && status < 400) return 'a redirect, which is not followed: give the address itself'
  switch (status) {
    case 401:
      return 'the credentials are missing or wrong'
    case 403:
      return 'the credentials may not write there'
    case 404:
      return 'there is nothing at this path'
    case 405:
      return 'it does not take POST'
    case 413:
      return 'the batch is too large for it: lower max_upload_bytes or max_upload_records'
    case 415:
      return 'it wants another type: set header_Content-Type'
    case 429:
      return 'it is busy'
    default:
      return undefined
  }
}
