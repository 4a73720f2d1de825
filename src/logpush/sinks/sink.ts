import type { Checked } from '../../model/problem.ts'
import type { DestinationReach } from '../../model/settings.ts'

/** A kind of destination: how its `destination_conf` is read and how batches get there. One entry in table.ts. */
export interface SinkKind {
  /** Before the colon of `destination_conf`. */
  readonly scheme: string
  /** Checks the text; touches nothing. */
  parse(destinationConf: string): Checked<Target>
}

/** A destination that was read. */
export interface Target {
  /** True when writing there does not prove that the job's author owns it (no credentials of its own). */
  readonly needsOwnership: boolean
  /**
   * Where objects go, `{DATE}` and `{HOUR}` unexpanded: the folder in the bucket, or an absolute path. No slash at its
   * end. Empty for receivers, which know no names.
   */
  readonly folder: string
  /** The `destination_conf` with `***` in place of everything secret. */
  readonly masked: string
  /** Objects are listed in hourly manifests (`manifest=hourly`). */
  readonly manifest: boolean
  /** @param reach the addresses that may be connected to */
  open(reach: DestinationReach): Promise<Sink>
}

/** What is delivered at once: a fixed range of the record log, as one job wants it. */
export interface SinkBatch {
  /** Folder and name of the object. */
  readonly path: string
  /** Follows from the range alone, so that a second attempt has the same. Letters, digits, `.`, `_` and `-`. */
  readonly id: string
  /** When the first record was received, ms since the epoch. */
  readonly startMs: number
  readonly records: number
  /** What is written, compressed. The same range and format give the same bytes. */
  readonly gzip: Uint8Array
  readonly frame: BatchFrame
  /** What is written, uncompressed: made when it is asked for, because object stores never do. */
  text(): Promise<Buffer>
  /**
   * Parts that a receiver has taken, by id; a sink adds to it. The same set comes with every attempt of one process,
   * so that the failure of one part does not repeat the others.
   */
  readonly sent: Set<string>
}

/** How records lie in the text: prefix, records with the delimiter between them, suffix. */
export interface BatchFrame {
  readonly prefix: string
  readonly delimiter: string
  readonly suffix: string
  /** UTF-8 bytes of each record. */
  readonly sizes: readonly number[]
}

/** An open destination. Every call ends soon after its signal, and throws SinkError. */
export interface Sink {
  /**
   * Delivers a batch. Where a second attempt at the same batch is not recognised, docs/destinations.md says so.
   * @returns the HTTP status of the (last) answer; undefined where the protocol has none
   */
  put(batch: SinkBatch, signal: AbortSignal): Promise<number | undefined>
  /** Delivers a test batch and takes it away again where that is possible and allowed. */
  probe(batch: SinkBatch, signal: AbortSignal): Promise<void>
  /** Leaves a text where the destination's owner can read it, replacing what has its name. */
  leave(path: string, text: string, signal: AbortSignal): Promise<void>
  close(): void
}

/** What a delivery goes through, in this order. */
export type SinkStep = 'resolve name' | 'connect' | 'TLS' | 'authenticate' | 'write'

export interface SinkErrorOptions extends ErrorOptions {
  readonly step?: SinkStep
  readonly status?: number
  readonly retryAfterMs?: number | undefined
}

/** The destination refused or cannot be reached. `message` says why and what to do, and holds no secrets. */
export class SinkError extends Error {
  override readonly name = 'SinkError'
  /** `access-denied`, `not-found`, `unreachable`, … */
  readonly code: string
  /** `never`: only a person can mend it; the job pauses. */
  readonly retry: 'later' | 'never'
  readonly step: SinkStep
  /** HTTP status of the refusal, where there was one. */
  readonly status: number | undefined
  /** The destination asks for so much time before the next attempt. */
  readonly retryAfterMs: number | undefined

  constructor(code: string, retry: 'later' | 'never', message: string, options: SinkErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.retry = retry
    this.step = options.step ?? 'write'
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
  }
}
