import { invalidValue } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { RouteParameters } from '../schemas/route.ts'
import type { ActionContext } from './action-context.ts'

/** A host that looks like an address must be one; otherwise it cannot be connected to. */
export function checkRoute({ origin }: RouteParameters, at: ActionContext): void {
  const host = origin?.host
  if (host === undefined || URL.canParse(`http://${host}`)) return
  const reason = 'it is neither a host name nor an address'
  refuse(invalidValue('host', host, reason, `${at.pointer}/origin/host`))
}
