import type { MultipartFlags } from '../bodies/index.ts'
import type { Entry } from './entry.ts'

/** Facts about a request body after reading it. Texts are byte strings. */
export interface BodyFacts {
  /** REQUEST_BODY; undefined if ModSecurity does not fill it. */
  readonly text: string | undefined
  /** Bytes received, including bytes that no processor read. */
  readonly length: number
  /** The body is longer than its inspected part. */
  readonly cut: boolean
  /** A charset that rules cannot read, in lower case; undefined if there is none. */
  readonly unreadCharset: string | undefined
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
  /** From the parts with a file name: the key is the field. Names as the client sent them; some files have two. */
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

/** A body without bytes, or one that must not be read. */
export const emptyBody: BodyFacts = {
  text: undefined,
  length: 0,
  cut: false,
  unreadCharset: undefined,
  error: undefined,
  arguments: [],
  jsonArguments: [],
  multipart: undefined,
  xmlText: undefined,
  xmlAttributes: [],
}
