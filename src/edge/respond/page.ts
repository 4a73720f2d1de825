import type { CustomPages } from '../../rulesets/plan/plan.ts'
import type { HeaderLines } from '../message/headers.ts'

/** A complete response of the edge. */
export interface Page {
  readonly status: number
  /** Headers without Content-Length and Ray-ID, which the sender adds. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Why the edge answers, for expressions; see `ResponseView.errorType`. */
  readonly errorType?: string
  /** Its number; see `ResponseView.errorCode`. */
  readonly errorCode?: number
  /** A rule has chosen this response, so custom error rules do not replace it. */
  readonly isChosen?: boolean
  /** The headers of the origin, when the page replaces the body of its response. */
  readonly rawHeaders?: HeaderLines
}

/** The values of a request that its page shows or depends on. */
export interface PageContext {
  readonly accept: string | undefined
  readonly rayId: string
  /** Text. */
  readonly host: string
  readonly clientIp: string
  /** Two letters; `XX` when unknown. */
  readonly country: () => string
  /** Pages of the site in place of the edge's own. */
  readonly customPages: CustomPages
}
