import { isAlphanumeric } from '../../kit/ascii.ts'
import { finish, scratchOf } from './scratch.ts'

/** A blank to `+`, every byte but letters, digits and `*` to `%hh`. */
export function urlEncode(value: string): string {
  const out = scratchOf(value.length * 3)
  let length = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const plain = plains[code]!
    if (plain > 0) {
      out[length++] = plain
      continue
    }
    out[length++] = 0x25
    out[length++] = digits[code >> 4]!
    out[length++] = digits[code & 0xf]!
  }
  return finish(out, length, value)
}

const digits = Uint8Array.from('0123456789abcdef', digit => digit.charCodeAt(0))
/** Replacements of bytes that need no escape; 0 for the others. */
const plains = Uint8Array.from({ length: 256 }, (_, code) =>
  code === 0x2a || isAlphanumeric(code) ? code : 0,
)
plains[0x20] = 0x2b
