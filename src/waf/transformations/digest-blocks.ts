import { stringOfBytes } from '../../kit/bytes.ts'
import { scratchOf } from './scratch.ts'

/**
 * The message as 32-bit words with the padding of MD5 (RFC 1321) and SHA-1 (RFC 3174): a one bit, zeros, and the length
 * in bits in the last two words of a block of 16.
 */
export function paddedWords(value: string, bigEndian: boolean): Int32Array {
  const words = new Int32Array((((value.length + 8) >> 6) + 1) * 16)
  for (let i = 0; i <= value.length; i++) {
    const byte = i === value.length ? 0x80 : value.charCodeAt(i)
    words[i >> 2]! |= byte << shiftOf(i, bigEndian)
  }
  const lowBits = value.length << 3
  const highBits = value.length >>> 29
  words[words.length - 2] = bigEndian ? highBits : lowBits
  words[words.length - 1] = bigEndian ? lowBits : highBits
  return words
}

/** The words as a byte string. */
export function bytesOfWords(words: Int32Array, bigEndian: boolean): string {
  const length = words.length * 4
  const out = scratchOf(length)
  for (let i = 0; i < length; i++) out[i] = words[i >> 2]! >>> shiftOf(i, bigEndian)
  return stringOfBytes(out, length)
}

export function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

function shiftOf(index: number, bigEndian: boolean): number {
  return (bigEndian ? 3 - (index & 3) : index & 3) * 8
}
