import { expressionLimits } from '../limits.ts'

/** Literal texts and numbers of groups, in order. */
export type Replacement = readonly (string | number)[]

/**
 * Reads `${1}` … `${8}` and `$$`; any other dollar is a mistake.
 * @returns a reason for a mistake
 */
export function readReplacement(source: string): { parts: Replacement } | { reason: string } {
  const parts: (string | number)[] = []
  let from = 0
  for (let at = source.indexOf('$'); at >= 0; at = source.indexOf('$', from)) {
    if (at > from) parts.push(source.slice(from, at))
    const isDollar = source[at + 1] === '$'
    const group = isDollar ? 0 : groupAt(source, at)
    if (group === undefined) return { reason: 'a dollar sign stands in ${1} to ${8} or is written $$' }
    parts.push(isDollar ? '$' : group)
    from = at + (isDollar ? 2 : 4)
  }
  if (from < source.length) parts.push(source.slice(from))
  const most = expressionLimits.replacementReferencesMax
  if (parts.filter(part => typeof part === 'number').length > most) {
    return { reason: `more than ${most} references to captured texts` }
  }
  return { parts }
}

function groupAt(source: string, at: number): number | undefined {
  const digit = source[at + 2] ?? ''
  return source[at + 1] === '{' && source[at + 3] === '}' && digit >= '1' && digit <= '8'
    ? Number(digit)
    : undefined
}

/** @param captured the text of a group; empty for a group that took no part or does not exist */
export function fill(replacement: Replacement, captured: (group: number) => string): string {
  let filled = ''
  for (const part of replacement) filled += typeof part === 'string' ? part : captured(part)
  return filled
}
