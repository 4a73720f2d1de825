import type { ClientRequest } from '../message/client-request.ts'
import type { HeaderLines } from '../message/headers.ts'
import { userAgentKind } from './user-agent.ts'

/** Headers that browsers send with every page, and the points of each. */
const browserHeaders: readonly (readonly [lowerName: string, points: number])[] = [
  ['accept', 8],
  ['accept-language', 18],
  ['accept-encoding', 10],
  ['sec-fetch-site', 12],
  ['sec-fetch-mode', 8],
  ['sec-fetch-dest', 6],
  ['upgrade-insecure-requests', 4],
  ['sec-ch-ua', 4],
  ['cookie', 5],
  ['referer', 4],
]
const indexes: ReadonlyMap<string, number> = new Map(browserHeaders.map(([name], index) => [name, index]))
/** Most other names differ from these in length. */
const lengths: ReadonlySet<number> = new Set(browserHeaders.map(([name]) => name.length))

/**
 * Estimates whether a person sent the request, from 1 (certainly a program) to 99 (certainly a browser), by its headers
 * only. No User-Agent scores 1, a program's User-Agent 2, and an unknown one 5. A browser's scores 20, plus points for each
 * header that browsers send. Every client can forge headers, so a low score is more reliable than a high one.
 */
export function botScore(request: ClientRequest): number {
  switch (userAgentKind(request.header('user-agent') ?? '')) {
    case 'none':
      return 1
    case 'program':
      return 2
    case 'other':
      return 5
    case 'browser':
      return Math.min(99, 20 + pointsOf(request.headers))
  }
}

function pointsOf(headers: HeaderLines): number {
  let seen = 0
  let points = 0
  for (const [name] of headers) {
    if (!lengths.has(name.length)) continue
    const index = indexes.get(name.toLowerCase())
    if (index === undefined || (seen & (1 << index)) !== 0) continue
    seen |= 1 << index
    points += browserHeaders[index]![1]
  }
  return points
}
