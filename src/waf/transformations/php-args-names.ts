import { isSpace } from '../../kit/ascii.ts'

/**
 * The name under which PHP files an argument: leading blanks go, blanks and dots before the first `[` become `_`; behind
 * it indices `[…]` stay as they are and what follows the last of them goes. A `[` that is never closed becomes `_`.
 * A name that begins with `[` is none: ''.
 */
export function phpArgsNames(value: string): string {
  let start = 0
  while (value.charCodeAt(start) === 0x20) start++
  const bracket = value.indexOf('[', start)
  if (bracket === start) return ''
  const base = underscored(value.slice(start, bracket < 0 ? value.length : bracket))
  const name = bracket < 0 ? base : base + indices(value, bracket)
  return name === value ? value : name
}

function underscored(base: string): string {
  return base.replaceAll(' ', '_').replaceAll('.', '_')
}

function indices(value: string, bracket: number): string {
  const kept: string[] = []
  let open = bracket
  while (value.charCodeAt(open) === 0x5b) {
    const close = value.indexOf(']', open)
    if (close < 0) return kept.length > 0 ? kept.join('') : `_${value.slice(open + 1)}`
    const isBlank = close === open + 2 && isSpace(value.charCodeAt(open + 1))
    kept.push(isBlank ? '[]' : value.slice(open, close + 1))
    open = close + 1
  }
  return kept.join('')
}
