import type { ClientRequest } from '../client-request.ts'
import type { HeaderLines } from '../headers.ts'
import { userAgentKind } from './user-agent.ts'

/** Headers that browsers send with every page, and what each is worth. */
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
/** Most other names are told from these by their length. */
const lengths: ReadonlySet<number> = new Set(browserHeaders.map(([name]) => name.length))

/**
 * How likely a person sent this: 1 surely a program, 99 surely a browser. A guess from headers alone:
 * no User-Agent is 1; one that names a program 2; one unlike a browser's 5; a browser's is 20 and more with each
 * header that browsers send. Anyone can send them, so low scores mean more than high ones.
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
      return Math.min(99, 20 + worthOf(request.headers))
  }
}

function worthOf(headers: HeaderLines): number {
  let seen = 0
  let worth = 0
  for (const [name] of headers) {
    if (!lengths.has(name.length)) continue
    const index = indexes.get(name.toLowerCase())
    if (index === undefined || (seen & (1 << index)) !== 0) continue
    seen |= 1 << index
    worth += browserHeaders[index]![1]
  }
  return worth
}
