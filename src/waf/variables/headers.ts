import { lowercase } from '../transformations/case.ts'
import { Entry } from './entry.ts'

type HeaderLines = readonly (readonly [name: string, value: string])[]

/**
 * Request headers as ModSecurity sees them behind Apache: one value per name. Lines with the same name are joined by
 * `, ` at the position of the first; cookies by `; `, so that each stays a cookie. Lines with Content-Type stay
 * apart, as in nginx: the origin gets them separately, and readers differ in which one counts.
 */
export function joinedHeaders(lines: HeaderLines): Entry[] {
  const entries: Entry[] = []
  const indexes = new Map<string, number>()
  for (let i = 0; i < lines.length; i++) {
    const [name, value] = lines[i]!
    const folded = foldedName(name)
    const index = indexes.get(folded)
    if (index === undefined || folded === 'content-type') {
      indexes.set(folded, entries.length)
      entries.push(new Entry(name, value, folded))
    } else {
      const first = entries[index]!
      const separator = folded === 'cookie' ? '; ' : ', '
      entries[index] = new Entry(first.key, first.value + separator + value, folded)
    }
  }
  return entries
}

/** Names of headers seen, in lower case: there are few. */
const foldedNames = new Map<string, string>()
const foldedNamesKept = 1000
const foldedNameBytes = 64

/** The name in lower case. */
function foldedName(name: string): string {
  const known = foldedNames.get(name)
  if (known !== undefined) return known
  const folded = lowercase(name)
  if (foldedNames.size < foldedNamesKept && name.length <= foldedNameBytes) foldedNames.set(name, folded)
  return folded
}

/** Response headers: every line is a separate value. */
export function separateHeaders(lines: HeaderLines): Entry[] {
  return lines.map(([name, value]) => new Entry(name, value, foldedName(name)))
}

/** The lines of that header joined by `separator`; the empty text without one. */
export function headerValue(lines: HeaderLines, folded: string, separator = ', '): string {
  let joined: string | undefined
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    if (line[0].length !== folded.length || foldedName(line[0]) !== folded) continue
    joined = joined === undefined ? line[1] : joined + separator + line[1]
  }
  return joined ?? ''
}
