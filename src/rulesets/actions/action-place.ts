import type { Place } from '../availability.ts'
import type { WriteContext } from '../write-context.ts'

/** Where the parameters of a rule's action stand. */
export interface ActionPlace {
  readonly place: Place
  readonly context: WriteContext
  /** Of the parameters, in the body. */
  readonly pointer: string
}
