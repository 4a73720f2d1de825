import { isDigit } from '../../../kit/ascii.ts'
import { trimmed } from '../../../kit/blanks.ts'
import { fieldLimits } from '../../limits.ts'

/**
 * Tags of Accept-Language by descending weight, equal ones in their order; without `*` and tags of weight 0 (RFC 9110
 * 12.5.4). An invalid weight counts as 1.
 */
export function acceptedLanguages(text: string): readonly string[] {
  const ranges: { readonly tag: string; readonly weight: number }[] = []
  for (let start = 0; start < text.length && ranges.length < fieldLimits.languagesMax; ) {
    const comma = text.indexOf(',', start)
    const end = comma < 0 ? text.length : comma
    const range = readRange(text.slice(start, end))
    if (range.tag !== '' && range.tag !== '*' && range.weight > 0) ranges.push(range)
    start = end + 1
  }
  return ranges.sort((a, b) => b.weight - a.weight).map(({ tag }) => tag)
}

function readRange(text: string): { readonly tag: string; readonly weight: number } {
  const semicolon = text.indexOf(';')
  if (semicolon < 0) return { tag: trimmed(text), weight: 1 }
  return { tag: trimmed(text.slice(0, semicolon)), weight: readWeight(trimmed(text.slice(semicolon + 1))) }
}

/** `q=0.8`: at most three digits after the point (RFC 9110 12.4.2). */
function readWeight(parameter: string): number {
  const digits = parameter.slice(2)
  if (!parameter.startsWith('q=') && !parameter.startsWith('Q=')) return 1
  if (digits.length > 5 || (digits[0] !== '0' && digits[0] !== '1')) return 1
  for (let at = 1; at < digits.length; at++) {
    if (at === 1 ? digits[at] !== '.' : !isDigit(digits.charCodeAt(at))) return 1
  }
  return Math.min(1, Number(digits))
}
