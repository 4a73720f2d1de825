import { isAlphanumeric } from '../../kit/ascii.ts'
import { finish, scratchOf } from './scratch.ts'

/** A blank to `+`, every byte but letters, digits and `*` to `%hh`. */
export function urlEncode(value: string): string {
  const out = scratchOf(value.length * 3)
  let length = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code === 0x20) out[length++] = 0x2b
    else if (code === 0x2a || isAlphanumeric(code)) out[length++] = code
    else {
      out[length++] = 0x25
      out[length++] = digits.charCodeAt(code >> 4)
      out[length++] = digits.charCodeAt(code & 0xf)
    }
  }
  return finish(out, length, value)
}

const digits = '0123456789abcdef'
