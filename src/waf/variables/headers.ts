import { lowercase } from '../transformations/case.ts'
import { Entry } from './entry.ts'

type HeaderLines = readonly (readonly [name: string, value: string])[]

/**
 * Request headers as ModSecurity sees them behind Apache: one value a name, lines with the same name joined by `, `
 * at the place of the first (cookies by `; `, so that each stays a cookie).
 */
export function joinedHeaders(lines: HeaderLines): Entry[] {
  const values = new Map<string, { readonly name: string; value: string }>()
  for (const [name, value] of lines) {
    const folded = lowercase(name)
    const first = values.get(folded)
    if (first === undefined) values.set(folded, { name, value })
    else first.value += (folded === 'cookie' ? '; ' : ', ') + value
  }
  return Array.from(values, ([folded, { name, value }]) => new Entry(name, value, folded))
}

/** Response headers: every line is a value of its own. */
export function separateHeaders(lines: HeaderLines): Entry[] {
  return lines.map(([name, value]) => new Entry(name, value))
}

/** The lines of that header joined by `separator`; the empty text without one. */
export function headerValue(lines: HeaderLines, folded: string, separator = ', '): string {
  let joined: string | undefined
  for (const [name, value] of lines) {
    if (name.length !== folded.length || lowercase(name) !== folded) continue
    joined = joined === undefined ? value : joined + separator + value
  }
  return joined ?? ''
}
