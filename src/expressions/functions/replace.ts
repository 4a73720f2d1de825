import { asciiLower } from '../../kit/ascii.ts'
import { compileRegex } from '../../regex/index.ts'
import { findText } from '../evaluate/find-text.ts'
import { wildcardPieces } from '../evaluate/wildcard.ts'
import { fill, type Replacement, readReplacement } from './replacement.ts'
import {
  type Apply,
  type Complaint,
  type FunctionSpec,
  field,
  type Given,
  giving,
  literal,
  optionLetters,
  text,
} from './spec.ts'

export const replaceFunctions: readonly FunctionSpec[] = [
  {
    name: 'regex_replace',
    parameters: [field(text), literal(text), literal(text)],
    result: giving('Bytes'),
    replaces: true,
    bind: bindRegexReplace,
  },
  {
    name: 'wildcard_replace',
    parameters: [field(text), literal(text), literal(text), literal(text)],
    optional: 1,
    result: giving('Bytes'),
    replaces: true,
    bind: bindWildcardReplace,
  },
]

/** The first match only; without a match the value stays unchanged. */
function bindRegexReplace([, pattern, template]: readonly Given[]): Apply | Complaint {
  const compiled = compileRegex(pattern!.literal as string, { dialect: 'rust' })
  if (!compiled.ok) return { index: 1, reason: `regex parse error: ${compiled.error.message}` }
  const replacement = readReplacement(template!.literal as string)
  if ('reason' in replacement) return { index: 2, reason: replacement.reason }
  const { matcher } = compiled
  return first => {
    const value = first as string
    const match = matcher.exec(value)
    if (match === null) return value
    const between = fill(replacement.parts, group => {
      const start = match[2 * group] ?? -1
      return start < 0 ? '' : value.slice(start, match[2 * group + 1])
    })
    return value.slice(0, match[0]) + between + value.slice(match[1])
  }
}

function bindWildcardReplace([, pattern, template, flags]: readonly Given[]): Apply | Complaint {
  const strict = optionLetters(flags?.literal, 's')
  if (strict === undefined) return { index: 3, reason: 'the only flag is "s"' }
  const wildcard = wildcardPieces(pattern!.literal as string)
  if (!wildcard.ok) return { index: 1, reason: wildcard.message }
  const replacement = readReplacement(template!.literal as string)
  if ('reason' in replacement) return { index: 2, reason: replacement.reason }
  const { pieces } = wildcard
  if (strict === 's')
    return value => replaceWhole(value as string, value as string, pieces, replacement.parts)
  const lower = pieces.map(asciiLower)
  return value => replaceWhole(value as string, asciiLower(value as string), lower, replacement.parts)
}

/** @param sought the value in the case that is compared */
function replaceWhole(
  value: string,
  sought: string,
  pieces: readonly string[],
  replacement: Replacement,
): string {
  const ends = starSpans(sought, pieces)
  if (ends === undefined) return value
  return fill(replacement, star => value.slice(ends[2 * star - 2] ?? 0, ends[2 * star - 1] ?? 0))
}

/**
 * Start and end of each star, each as short as possible. Taking the first occurrence of each piece gives that, because
 * it leaves the most for the pieces after it.
 */
function starSpans(sought: string, pieces: readonly string[]): readonly number[] | undefined {
  const prefix = pieces[0]!
  if (pieces.length === 1) return sought === prefix ? [] : undefined
  const suffix = pieces.at(-1)!
  const end = sought.length - suffix.length
  if (end < prefix.length || !sought.startsWith(prefix) || !sought.endsWith(suffix)) return undefined
  const spans: number[] = []
  let from = prefix.length
  for (const piece of pieces.slice(1, -1)) {
    const found = findText(sought, piece, from)
    if (found < 0) return undefined
    spans.push(from, found)
    from = found + piece.length
  }
  if (from > end) return undefined
  spans.push(from, end)
  return spans
}
