import type { Checked } from '../../model/problem.ts'
import type { DestinationPolicy } from '../types.ts'

/** A kind of destination: how its `destination_conf` is parsed and how batches get there. One entry in table.ts. */
export interface SinkKind {
  /** Before the colon of `destination_conf`. */
  readonly scheme: string
  /** Checks the text, without side effects. */
  parse(destinationConf: string): Checked<Target>
}

/** A parsed destination. */
export interface Target {
  /** True when writing there does not prove that the job's author owns it (the destination has no credentials). */
  readonly needsOwnership: boolean
  /**
   * Folder of the objects, `{DATE}` and `{HOUR}` unexpanded: in the bucket, or an absolute path. No slash at its end.
   * Empty for receivers, which have no names.
   */
  readonly folder: string
  /** Batches are stored as objects; receivers take records instead. */
  readonly objects: boolean
  /** The `destination_conf` with `***` in place of every secret. */
  readonly masked: string
  /** Hourly manifests list the objects (`manifest=hourly`). */
  readonly manifest: boolean
  open(policy: DestinationPolicy): Promise<Sink>
}

/** The content of one delivery: a fixed range of the record log, in one job's format. */
export interface SinkBatch {
  /** Folder and name of the object. */
  readonly path: string
  /** Derived from the range alone, so that a second attempt has the same id. Letters, digits, `.`, `_` and `-`. */
  readonly id: string
  readonly records: number
  /** The object: the compressed text, or a Parquet file. The same range and format give the same bytes. */
  readonly content: Uint8Array
  readonly contentType: string
  readonly frame: BatchFrame
  /**
   * Distinguishes the job's records from those of other jobs and installations; the same for all its batches and
   * replays.
   */
  readonly job: string
  /** The record of a line. @param line from 0 */
  origin(line: number): LineOrigin
  /** The uncompressed text: made on request, because object stores never need it. */
  text(): Promise<Buffer>
  /**
   * Ids of parts that a receiver has accepted; a sink adds to it. Every attempt of one process gets the same set, so
   * that the failure of one part does not repeat the others.
   */
  readonly sent: Set<string>
}

/**
 * A record in the log. Partition, sequence and time of receipt never change, whichever batch the record is in, so ids
 * for receivers are made of them.
 */
export interface LineOrigin {
  readonly partition: string
  readonly sequence: number
  /** When it was appended to the log, ms since the epoch. */
  readonly receivedMs: number
  /** When the event happened, ms since the epoch. */
  readonly happenedMs: number
}

/** The layout of records in the text: prefix, records with the delimiter between them, suffix. */
export interface BatchFrame {
  readonly prefix: string
  readonly delimiter: string
  readonly suffix: string
  /** UTF-8 bytes of each record. */
  readonly sizes: readonly number[]
}

/** An open destination. Every call ends soon after its signal, and throws SinkError. */
export interface Sink {
  /** Further batches may go through it: it sends HTTP requests, and checks nothing once for all of them. */
  readonly reusable: boolean
  /**
   * Delivers a batch. docs/reference/logpush.md lists the destinations that do not recognise a second attempt.
   * @returns the HTTP status of the (last) answer; undefined where the protocol has none
   * @throws NameTakenError when an object of its name exists, which stays unchanged
   */
  put(batch: SinkBatch, signal: AbortSignal): Promise<number | undefined>
  /** Delivers a test batch and removes it again where that is possible and allowed. */
  probe(batch: SinkBatch, signal: AbortSignal): Promise<void>
  /** Writes a text where the destination's owner can read it, replacing an object of that name. */
  leave(path: string, text: string, signal: AbortSignal): Promise<void>
  /**
   * Reads an object back: the object with a batch's name may be an earlier attempt at it. For sinks that throw
   * NameTakenError.
   * @returns undefined when the credentials do not allow reading, or it has more than `bytesMax` bytes
   */
  read?(path: string, bytesMax: number, signal: AbortSignal): Promise<Buffer | undefined>
  close(): void
}

/** The steps of a delivery, in this order. */
export type SinkStep = 'resolve name' | 'connect' | 'TLS' | 'authenticate' | 'write'

export interface SinkErrorOptions extends ErrorOptions {
  readonly step?: SinkStep
  readonly status?: number
  readonly retryAfterMs?: number | undefined
}

/** The destination refused or cannot be reached. `message` names the reason and the remedy, and contains no secrets. */
export class SinkError extends Error {
  override readonly name = 'SinkError'
  /** `access-denied`, `not-found`, `unreachable`, … */
  readonly code: string
  /** `never`: repeating does not help; the job pauses. */
  readonly retry: 'later' | 'never'
  readonly step: SinkStep
  /** HTTP status of the refusal, where there was one. */
  readonly status: number | undefined
  /** The destination requests this delay before the next attempt. */
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

/** An object with the batch's name exists. The batch is delivered only if the object holds its lines. */
export class NameTakenError extends SinkError {
  /** @param status HTTP status of the refusal, where there is one */
  constructor(path: string, status?: number) {
    super(
      'name-taken',
      'never',
      `${path} exists and does not hold the lines of this batch: move it away, then save the job`,
      status === undefined ? {} : { status },
    )
  }
}
