/**
 * What body parsers give. Texts are byte strings (latin-1, one code unit a byte). Parsers never throw; on an error they
 * keep what they have read so far.
 */

export interface Argument {
  readonly name: string
  readonly value: string
}

export interface ParsedArguments {
  /** In the order of the body; one for each occurrence of a name. */
  readonly args: readonly Argument[]
  /** What is wrong (REQBODY_ERROR_MSG); absent when all is well. */
  readonly error?: string
}

/** Reads one body as it comes. Never throws; each call is linear in what it is given. */
export interface BodyReader<Result> {
  /** The next part, a byte string. */
  write(part: string): void
  /**
   * What was read; called once, at the end.
   * @param complete false when there is more of the body than was given: then its sudden end is no error
   */
  end(complete: boolean): Result
}

export interface BodyOptions {
  /** Overrides `wafLimits.argumentsMax` (SecArgumentsLimit). */
  readonly argumentsMax?: number
  /** Overrides `wafLimits.jsonDepthMax` (SecRequestBodyJsonDepthLimit). */
  readonly jsonDepthMax?: number
}
