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

export interface BodyOptions {
  /** False when only the first part of the body is given: then its sudden end is no error. Default true. */
  readonly complete?: boolean
  /** Overrides `wafLimits.argumentsMax` (SecArgumentsLimit). */
  readonly argumentsMax?: number
  /** Overrides `wafLimits.jsonDepthMax` (SecRequestBodyJsonDepthLimit). */
  readonly jsonDepthMax?: number
}
