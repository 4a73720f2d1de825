import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packageRoot } from '../../kit/package-root.ts'
import type { Reach } from '../../model/settings/index.ts'
import { adviceFor, refusalOptions, retryOf } from './answer-status.ts'
import { destinationLimits } from './limits.ts'
import { noteBatch } from './note.ts'
import { type Answer, openOutgoing } from './outgoing.ts'
import { type Caps, type Part, type RecordsPart, type Refused, sendGzip, sendRecords } from './parts.ts'
import { quotedAnswer } from './quoted-answer.ts'
import type { ReceiverSettings } from './receiver-settings.ts'
import { type Sink, type SinkBatch, SinkError } from './sink.ts'

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string
}

const gzipped = promisify<Uint8Array | string, Buffer>(gzip)

/** The properties of one kind of receiver. */
export interface ReceiverKind {
  readonly caps: Caps
  /** `Content-Type`, unless `header_Content-Type` sets another. */
  readonly contentType: string
  /** Headers of one part. */
  headers?(part: Part): Readonly<Record<string, string>>
  /**
   * The body of a part, uncompressed; without it, the text in the job's format.
   * @throws SinkError where the job's format does not fit
   */
  encode?(part: RecordsPart, batch: SinkBatch): string | Buffer
  /** Maximum bytes of a success answer that `accept` needs. */
  readonly answerBytesMax?: number
  /**
   * Inspects a 2xx answer.
   * @returns the records that it refuses permanently, having accepted the others
   * @throws SinkError when the answer is a refusal
   */
  accept?(answer: Answer, settings: ReceiverSettings, part: Part): Refused | undefined
  /** Advice for a status, in plain words. */
  advice?(status: number, answer: Answer): string | undefined
}

/** A receiver that accepts batches by POST, gzip-compressed. */
export function openReceiver(settings: ReceiverSettings, kind: ReceiverKind, reach: Reach): Sink {
  const { url, headers, insecure } = settings
  const outgoing = openOutgoing(reach, insecure)
  const send = async (part: Part, body: Uint8Array, signal: AbortSignal) => {
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
      AbortSignal.any([signal, AbortSignal.timeout(destinationLimits.receiverMs)]),
    )
    if (answer.status < 200 || answer.status > 299) throw refusalOf(answer, settings, kind)
    return { status: answer.status, refused: kind.accept?.(answer, settings, part) }
  }
  const put: Sink['put'] = async (batch, signal) => {
    let status: number | undefined
    const sent = async (part: Part, body: Uint8Array) => {
      const taken = await send(part, body, signal)
      status = taken.status
      return taken.refused
    }
    const { caps, encode } = kind
    const refused =
      encode === undefined
        ? await sendGzip(batch, caps, part => sent(part, part.gzip))
        : await sendRecords(batch, caps, async part => sent(part, await gzipped(encode(part, batch))))
    if (refused === undefined) return status
    throw new SinkError(
      'records-refused',
      'never',
      `${url.host} did not accept ${refused.count} of ${batch.records} records, and has the others: ${refused.why}`,
      { status: refused.status },
    )
  }
  return {
    reusable: true,
    put,
    async probe(batch, signal) {
      await put(batch, signal)
    },
    async leave(path, text, signal) {
      const record = Buffer.from(`${JSON.stringify({ content: text })}\n`)
      await put(noteBatch(path, `note-${Date.now()}`, record), signal)
    },
    close: () => outgoing.close(),
  }
}

function refusalOf(answer: Answer, settings: ReceiverSettings, kind: ReceiverKind): SinkError {
  const { status } = answer
  const said = quotedAnswer(answer, settings.secrets)
  const advice = kind.advice?.(status, answer) ?? adviceFor(status)
  return new SinkError(
    `status-${status}`,
    retryOf(status),
    `${settings.url.host} answered ${status}${advice === undefined ? '' : `, ${advice}`}${said === '' ? '' : `: ${said}`}`,
    refusalOptions(answer),
  )
}
