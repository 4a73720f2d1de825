import { fieldLimits } from '../../limits.ts'
import { addTo } from './header-values.ts'

/** Names and values in order, in two parallel arrays. Nothing is decoded. */
export interface Arguments {
  readonly names: readonly string[]
  readonly values: readonly string[]
}

/**
 * Parses a query or a form body: split at `&`, then at the first `=`; without `=` the value is empty. Empty pieces
 * are skipped. From `fieldLimits.argumentsMax` on, the rest is one argument.
 */
export function readArguments(text: string): Arguments {
  const names: string[] = []
  const values: string[] = []
  for (let start = 0; start < text.length; ) {
    const isLast = names.length === fieldLimits.argumentsMax - 1
    const ampersand = isLast ? -1 : text.indexOf('&', start)
    const end = ampersand < 0 ? text.length : ampersand
    if (end > start) {
      const piece = text.slice(start, end)
      const equals = piece.indexOf('=')
      names.push(equals < 0 ? piece : piece.slice(0, equals))
      values.push(equals < 0 ? '' : piece.slice(equals + 1))
    }
    start = end + 1
  }
  return { names, values }
}

/** Name → its values in order. */
export function mapOf({ names, values }: Arguments): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>()
  for (let at = 0; at < names.length; at++) addTo(map, names[at]!, values[at]!)
  return map
}
