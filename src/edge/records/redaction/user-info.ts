import { digitsAt, hexByte, percent } from './escapes.ts'
import { redacted } from './redacted.ts'

const space = 0x20
const quote = 0x22
const hash = 0x23
const ampersand = 0x26
const slash = 0x2f
const colon = 0x3a
const less = 0x3c
const equals = 0x3d
const greater = 0x3e
const questionMark = 0x3f
const at = 0x40
const backslash = 0x5c

/**
 * Redacts the part before `@` in the authorities of URLs: after `://`, and after `//` at the possible start of a reference
 * without a scheme. The URL may be percent-encoded, as within a parameter. One pass; a text without `@` is not scanned.
 * @returns the same string when nothing changed
 */
export function redactUserInfo(text: string): string {
  if (!text.includes('@') && !(text.includes('%') && text.includes('40'))) return text
  let kept = ''
  let copied = 0
  let slashes = 0
  let before = equals
  let authority = -1
  /** Number of characters of each delimiter, minus one. Characters that are encoded more often are data. */
  let depth = 0
  let userEnd = -1
  const takeOut = () => {
    if (authority < 0 || userEnd <= authority) return
    kept += text.slice(copied, authority) + redacted
    copied = userEnd
  }
  for (let position = 0; position < text.length; position++) {
    const start = position
    let code = text.charCodeAt(position)
    const digits = code === percent ? digitsAt(text, position) : -1
    if (digits >= 0) {
      code = hexByte(text, digits)
      position = digits + 1
    }
    if (authority >= 0) {
      if (position - start > depth) continue
      if (code === at) userEnd = start
      if (!endsAuthority(code) && !(code === ampersand && position - start < depth)) continue
      takeOut()
      authority = -1
      slashes = 0
    }
    if (code !== slash) {
      slashes = 0
      before = code
    } else if (++slashes === 2 && (before === colon || before === equals)) {
      authority = position + 1
      depth = position - start
      userEnd = -1
    }
  }
  takeOut()
  return copied === 0 ? text : kept + text.slice(copied)
}

function endsAuthority(code: number): boolean {
  switch (code) {
    case slash:
    case questionMark:
    case hash:
    case space:
    case quote:
    case less:
    case greater:
    case backslash:
      return true
    default:
      return false
  }
}
