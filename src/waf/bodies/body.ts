/**
 * The results of body parsers. Texts are byte strings (latin-1, one code unit a byte). Parsers never throw; on an error
 * they keep everything read so far.
 */

export interface Argument {
  readonly name: string
  readonly value: string
}

export interface ParsedArguments {
  /** In the order of the body; one for each occurrence of a name. */
  readonly args: readonly Argument[]
  /** The error (REQBODY_ERROR_MSG); absent if there is none. */
  readonly error?: string
}

/** Reads one body as it arrives. Never throws; each call is linear in its input. */
export interface BodyReader<Result> {
  /** The next part, a byte string. */
  write(part: string): void
  /**
   * Returns the result; called once, at the end.
   * @param complete false if the body has more bytes than were written: then its sudden end is no error
   */
  end(complete: boolean): Result
}

export interface BodyOptions {
  /** Overrides `wafLimits.argumentsMax` (SecArgumentsLimit). */
  readonly argumentsMax?: number
  /** Overrides `wafLimits.jsonDepthMax` (SecRequestBodyJsonDepthLimit). */
  readonly jsonDepthMax?: number
  /** Bytes of all multipart fields together; further bytes are not read (SecRequestBodyNoFilesLimit). */
  readonly fieldBytesMax?: number
}
