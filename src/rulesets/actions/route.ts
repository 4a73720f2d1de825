import { invalidValue } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { RouteParameters } from '../schemas/route.ts'
import type { ActionPlace } from './action-place.ts'

/** What looks like an address has to be one, or there is nowhere to connect to. */
export function checkRoute({ origin }: RouteParameters, at: ActionPlace): void {
  const host = origin?.host
  if (host === undefined || URL.canParse(`http://${host}`)) return
  const reason = 'it is neither a host name nor an address'
  refuse(invalidValue('host', host, reason, `${at.pointer}/origin/host`))
}
