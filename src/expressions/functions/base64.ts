import { stringOfBytes } from '../../kit/bytes.ts'

/**
 * Base64 over byte strings.
 * @source RFC 4648 sections 4 and 5
 */

const common = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const alphabets = { standard: `${common}+/`, url: `${common}-_` }

type Alphabet = keyof typeof alphabets

const values = { standard: valuesOf(alphabets.standard), url: valuesOf(alphabets.url) }

function valuesOf(alphabet: string): Int8Array {
  const table = new Int8Array(256).fill(-1)
  for (let at = 0; at < alphabet.length; at++) table[alphabet.charCodeAt(at)] = at
  return table
}

export function encodeBase64(bytes: string, alphabet: Alphabet, padded: boolean): string {
  const letters = alphabets[alphabet]
  const encoded = new Uint8Array(4 * Math.ceil(bytes.length / 3))
  let length = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const count = Math.min(3, bytes.length - at)
    let bits = 0
    for (let i = 0; i < 3; i++) bits = (bits << 8) | (i < count ? bytes.charCodeAt(at + i) : 0)
    for (let i = 0; i <= count; i++) encoded[length++] = letters.charCodeAt((bits >> (18 - 6 * i)) & 63)
    if (padded) for (let i = count; i < 3; i++) encoded[length++] = equals
  }
  return stringOfBytes(encoded, length)
}

const equals = 0x3d

/**
 * Undefined for a text with bytes outside the alphabet, or with too much or too little padding; padding may be absent.
 */
export function decodeBase64(text: string, alphabet: Alphabet): string | undefined {
  const table = values[alphabet]
  let end = text.length
  while (end > 0 && text.length - end < 2 && text[end - 1] === '=') end--
  if (end % 4 === 1 || (end < text.length && text.length % 4 !== 0)) return undefined
  const decoded = new Uint8Array(Math.floor((end * 3) / 4))
  let length = 0
  let bits = 0
  let count = 0
  for (let at = 0; at < end; at++) {
    const value = table[text.charCodeAt(at)] ?? -1
    if (value < 0) return undefined
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    decoded[length++] = bits >> count
  }
  return stringOfBytes(decoded, length)
}
