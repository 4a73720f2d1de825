import type { RulesetType } from '../documents/availability.ts'
import type { WriteContext } from '../documents/write-context.ts'

/** The context of an action's parameters. */
export interface ActionContext {
  readonly type: RulesetType
  readonly context: WriteContext
  /** JSON pointer of the parameters in the body. */
  readonly pointer: string
}
