import { hexValue } from '../../../kit/ascii.ts'

/** Decodes `%HH` to bytes and keeps malformed escapes and `+`. Returns the same string if it has no escapes. Linear. */
export function percentDecoded(text: string): string {
  let result = ''
  let copied = 0
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    const high = hexValue(text.charCodeAt(at + 1))
    const low = hexValue(text.charCodeAt(at + 2))
    if (high < 0 || low < 0) continue
    result += text.slice(copied, at) + String.fromCharCode(high * 16 + low)
    copied = at + 3
    at += 2
  }
  return copied === 0 ? text : result + text.slice(copied)
}
