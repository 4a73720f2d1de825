import type { Checked } from '../../model/problem.ts'

/** A kind of destination: how its `destination_conf` is read and how objects get there. One entry in table.ts. */
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
  /** Where objects go, `{DATE}` unexpanded: the folder in the bucket, or an absolute path. No slash at its end. */
  readonly folder: string
  open(): Promise<Sink>
}

/** An open destination. Every call is bounded in time and throws SinkError. */
export interface Sink {
  /**
   * Writes one object whole, replacing what has its name: a replay is harmless.
   * @param path folder and name
   */
  put(path: string, body: Uint8Array, contentType: string): Promise<void>
  /** Removes an object if that is possible; used for the probe only. */
  remove(path: string): Promise<void>
  close(): void
}

/** The destination refused or cannot be reached. `message` holds no secrets. */
export class SinkError extends Error {
  override readonly name = 'SinkError'
  /** `access-denied`, `not-found`, `unreachable`, … */
  readonly code: string
  /** `never`: only a person can mend it. It is tried again all the same, at the longest interval. */
  readonly retry: 'later' | 'never'

  constructor(code: string, retry: 'later' | 'never', message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.retry = retry
  }
}
