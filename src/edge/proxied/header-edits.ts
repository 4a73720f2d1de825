import type { Exchange } from '../exchange/exchange.ts'
import { firstHeader, type HeaderLines } from '../message/headers.ts'
import { forwardingHeaders, removeOwn } from '../origin/forwarding-headers.ts'
import { hostHeaderOf } from '../origin/upstream.ts'
import type { HeaderEdits } from './proxied-request.ts'

/** The edits that make one list of lines from another. */
export function editsBetween(before: HeaderLines, after: HeaderLines): HeaderEdits {
  if (before === after) return noEdits
  const old = byName(before)
  const wanted = byName(after)
  const set: [string, readonly string[]][] = []
  for (const [lower, { name, values }] of wanted) {
    const { values: known } = old.get(lower) ?? { values: [] }
    if (known.length !== values.length || known.some((value, at) => value !== values[at]))
      set.push([name, values])
  }
  return { set, remove: [...old.keys()].filter(lower => !wanted.has(lower)) }
}

export const noEdits: HeaderEdits = { set: [], remove: [] }

interface Field {
  readonly name: string
  readonly values: string[]
}

/** Lower-case name → field. */
function byName(lines: HeaderLines): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>()
  for (const [name, value] of lines) {
    const lower = name.toLowerCase()
    const known = fields.get(lower)
    if (known === undefined) fields.set(lower, { name, values: [value] })
    else known.values.push(value)
  }
  return fields
}

/**
 * The edits of a request for its origin: the changes of rules, and the edge's own headers. The proxy owns
 * `X-Forwarded-*`. A client cannot send `CF-*`, `Ray-ID` and `True-Client-IP`.
 */
export function requestEdits({ facts, state, decisions }: Exchange): HeaderEdits {
  const { request, plan, rayId } = facts
  const own = forwardingHeaders({
    address: request.connection.address,
    host: request.host,
    rayId,
    geo: () => state.geo,
    settings: plan!.settings,
  })
  const hostHeader = hostHeaderOf(facts, decisions.settings)
  const lines: (readonly [string, string])[] = []
  for (const line of state.headers) {
    const lower = line[0].toLowerCase()
    const isFromRule = !request.headers.includes(line)
    if (lower === 'host') lines.push([line[0], hostHeader])
    else if (isFromRule || (firstHeader(own, lower) === undefined && !isReserved(lower))) {
      lines.push(line)
      removeOwn(own, lower)
    } else if (lower.startsWith('x-forwarded-')) lines.push(line)
  }
  for (const [name, value] of own) if (!name.startsWith('x-forwarded-')) lines.push([name, value])
  return editsBetween(request.headers, lines)
}

function isReserved(lowerName: string): boolean {
  return lowerName.startsWith('cf-') || lowerName === 'ray-id' || lowerName === 'true-client-ip'
}
