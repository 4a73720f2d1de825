import { lowerCode } from '../../kit/ascii.ts'
import { finish, scratchOf } from './scratch.ts'

/**
 * Undoes what shells ignore: drops `" ' \ ^`; `,`, `;` and white space to one blank; a blank before `/` or `(` goes;
 * lower case.
 */
export function cmdLine(value: string): string {
  const out = scratchOf(value.length)
  let length = 0
  let afterBlank = false
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const kind = kinds[code]
    if (kind === DROP) continue
    if (kind === BLANK) {
      if (!afterBlank) out[length++] = 0x20
      afterBlank = true
      continue
    }
    if (afterBlank && kind === TIGHT) length--
    afterBlank = false
    out[length++] = lowerCode(code)
  }
  return finish(out, length, value)
}

const DROP = 1
const BLANK = 2
const TIGHT = 3

const kinds = new Uint8Array(256)
for (const sign of '"\'\\^') kinds[sign.charCodeAt(0)] = DROP
for (const sign of ' ,;\t\r\n') kinds[sign.charCodeAt(0)] = BLANK
for (const sign of '/(') kinds[sign.charCodeAt(0)] = TIGHT
