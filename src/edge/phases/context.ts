import type { EdgeCore } from '../exchange/core.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { Span } from '../measures/spans.ts'
import type { BodyParts } from '../message/body-source.ts'

/** Given to the rules of a request. Rules cannot reach its response. */
export interface InspectionContext extends RequestParts {
  readonly core: EdgeCore
  /** Undefined when the request can have none; for a malformed request, the bytes that came with its head. */
  readonly body: BodyParts | undefined
  /** The request's own, below which phases get theirs; undefined without distributed tracing. */
  readonly span?: Span | undefined
}
