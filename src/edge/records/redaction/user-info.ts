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
const question = 0x3f
const at = 0x40
const backslash = 0x5c

/**
 * Takes out what stands before `@` in the authorities of URLs: behind `://`, and behind `//` where a reference without a
 * scheme can begin; plain, or percent-encoded as a URL within a parameter is. One pass, and none over a text without `@`.
 * @returns the same string when nothing changed
 */
export function redactUserInfo(text: string): string {
  if (!text.includes('@') && !(text.includes('%') && text.includes('40'))) return text
  let kept = ''
  let copied = 0
  let slashes = 0
  let before = equals
  let authority = -1
  /** How many characters each of its delimiters has beyond one: what is encoded more often is data. */
  let depth = 0
  let userEnd = -1
  const takeOut = () => {
    if (authority < 0 || userEnd <= authority) return
    kept += text.slice(copied, authority) + redacted
    copied = userEnd
  }
  for (let place = 0; place < text.length; place++) {
    const start = place
    let code = text.charCodeAt(place)
    const digits = code === percent ? digitsAt(text, place) : -1
    if (digits >= 0) {
      code = hexByte(text, digits)
      place = digits + 1
    }
    if (authority >= 0) {
      if (place - start > depth) continue
      if (code === at) userEnd = start
      if (!endsAuthority(code) && !(code === ampersand && place - start < depth)) continue
      takeOut()
      authority = -1
      slashes = 0
    }
    if (code !== slash) {
      slashes = 0
      before = code
    } else if (++slashes === 2 && (before === colon || before === equals)) {
      authority = place + 1
      depth = place - start
      userEnd = -1
    }
  }
  takeOut()
  return copied === 0 ? text : kept + text.slice(copied)
}

function endsAuthority(code: number): boolean {
  switch (code) {
    case slash:
    case question:
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
