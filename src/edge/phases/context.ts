import type { BodyParts } from '../body-source.ts'
import type { EdgeCore } from '../core.ts'
import type { Exchange } from '../exchange.ts'

/** What a request's rules are given. */
export interface InspectionContext {
  readonly core: EdgeCore
  readonly exchange: Exchange
  /** Undefined when the request can have none; that of a malformed request is what came with its head. */
  readonly body: BodyParts | undefined
}
