import type { LogRecord } from '../../model/dataset.ts'
import { defused } from './defuse.ts'
import { type LineEncoder, lineEncoder } from './encode.ts'
import type { LineFormat } from './format.ts'

/** The texts around and between the records of a batch. */
export interface BatchFraming {
  /** Before the first record. */
  readonly prefix: string
  /** Between records, not after the last. */
  readonly delimiter: string
  /** After the last record. */
  readonly suffix: string
}

export function batchFraming({ texts, defuse }: LineFormat): BatchFraming {
  const finished = defuse ? defused : (text: string) => text
  return {
    prefix: finished(texts.batchPrefix),
    delimiter: finished(texts.recordDelimiter),
    suffix: finished(texts.batchSuffix),
  }
}

/**
 * The text of one batch, piece by piece: prefix, records with the delimiter between them, suffix. The same records give
 * the same text. Without a record there is no text at all.
 */
export class BatchText {
  readonly framing: BatchFraming
  /** UTF-8 bytes of each record so far. */
  readonly sizes: number[] = []
  readonly #encode: LineEncoder
  readonly #defuse: boolean
  /** A `$` at the end of a piece waits for the next one, which may begin with `{`. */
  #waiting: '' | '$' = ''

  constructor(format: LineFormat) {
    this.framing = batchFraming(format)
    // Defused here, across the seams; that leaves every length as it is.
    this.#encode = lineEncoder({ ...format, defuse: false })
    this.#defuse = format.defuse
  }

  /** @returns what to write next */
  add(record: LogRecord): string {
    const { prefix, delimiter } = this.framing
    const before = this.sizes.length === 0 ? prefix : delimiter
    const line = this.#encode(record)
    this.sizes.push(Buffer.byteLength(line))
    return this.#piece(before + line)
  }

  /** @returns the last to write */
  end(): string {
    return this.sizes.length === 0 ? '' : this.#piece(this.framing.suffix) + this.#waiting
  }

  #piece(text: string): string {
    if (!this.#defuse) return text
    const whole = defused(this.#waiting + text)
    this.#waiting = whole.endsWith('$') ? '$' : ''
    return this.#waiting === '' ? whole : whole.slice(0, -1)
  }
}
