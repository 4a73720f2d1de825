import { lowerCode } from '../../kit/ascii.ts'
import { finish, scratchWith } from './scratch.ts'

/**
 * Removes bytes that shells ignore: drops `" ' \ ^`; turns `,`, `;` and white space into one blank; drops a blank
 * before `/` or `(`; lower case.
 */
export function cmdLine(value: string): string {
  const start = firstChange(value)
  if (start < 0) return value
  const out = scratchWith(value, start)
  let length = start
  let afterBlank = start > 0 && value.charCodeAt(start - 1) === 0x20
  for (let i = start; i < value.length; i++) {
    const change = changes[value.charCodeAt(i)]!
    if (change < 0x100) {
      out[length++] = change
      afterBlank = false
    } else if (change >= TIGHT) {
      if (afterBlank) length--
      out[length++] = change - TIGHT
      afterBlank = false
    } else if (change === BLANK) {
      if (!afterBlank) out[length++] = 0x20
      afterBlank = true
    }
  }
  return finish(out, length, value)
}

/** Returns -1 if no byte changes, as in a plain text in lower case. */
function firstChange(value: string): number {
  let before = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const change = changes[code]!
    const stays = change === code || (before !== 0x20 && (code === 0x20 || change >= TIGHT))
    if (!stays) return i
    before = code
  }
  return -1
}

const DROP = 0x100
const BLANK = 0x101
/** Added to the byte. */
const TIGHT = 0x200

/** The replacement of each byte. */
const changes = Uint16Array.from({ length: 256 }, (_, code) => lowerCode(code))
for (const sign of '"\'\\^') changes[sign.charCodeAt(0)] = DROP
for (const sign of ' ,;\t\r\n') changes[sign.charCodeAt(0)] = BLANK
for (const sign of '/(') changes[sign.charCodeAt(0)] = TIGHT + sign.charCodeAt(0)
