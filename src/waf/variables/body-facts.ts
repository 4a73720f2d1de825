import type { MultipartFlags } from '../bodies/index.ts'
import type { Entry } from './entry.ts'

/** What is known of a request body once it has been read. Texts are byte strings. */
export interface BodyFacts {
  /** REQUEST_BODY; undefined where ModSecurity does not fill it. */
  readonly text: string | undefined
  /** Bytes given, also those that no processor looked at. */
  readonly length: number
  /** The body is longer than what was inspected. */
  readonly cut: boolean
  /** REQBODY_ERROR_MSG; undefined without an error. */
  readonly error: string | undefined
  /** Form and multipart fields: ARGS_POST. */
  readonly arguments: readonly Entry[]
  /** Values of JSON: in ARGS, but in neither ARGS_GET nor ARGS_POST. */
  readonly jsonArguments: readonly Entry[]
  /** Undefined unless the body was read as multipart. */
  readonly multipart: MultipartFacts | undefined
  /** `XML:/*` */
  readonly xmlText: string | undefined
  /** `XML://@*` */
  readonly xmlAttributes: readonly Entry[]
}

export interface MultipartFacts {
  /** Of the parts with a file name: the key is the field. Names as the client sent them. */
  readonly fileNames: readonly Entry[]
  readonly fileSizes: readonly Entry[]
  /** Bytes of all files. */
  readonly fileBytes: number
  /** Header lines of parts; the key is the part's name. */
  readonly partHeaders: readonly Entry[]
  readonly flags: Readonly<MultipartFlags>
  readonly strictError: boolean
  readonly unmatchedBoundary: 0 | 1 | 2
}

/** A body of no bytes, or one that nobody may look at. */
export const emptyBody: BodyFacts = {
  text: undefined,
  length: 0,
  cut: false,
  error: undefined,
  arguments: [],
  jsonArguments: [],
  multipart: undefined,
  xmlText: undefined,
  xmlAttributes: [],
}
