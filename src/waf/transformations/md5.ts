import { bytesOfWords, paddedWords, rotateLeft } from './digest-blocks.ts'

/** The 16 bytes of the MD5 digest. @source RFC 1321 */
export function md5(value: string): string {
  const words = paddedWords(value, false)
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  for (let block = 0; block < words.length; block += 16) addBlock(state, words, block)
  return bytesOfWords(state, false)
}

function addBlock(state: Int32Array, words: Int32Array, block: number): void {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  for (let t = 0; t < 64; t++) {
    const round = t >> 4
    const word = words[block + ((factors[round]! * t + offsets[round]!) & 15)]!
    const sum = (a + mix(round, b, c, d) + sines[t]! + word) | 0
    a = d
    d = c
    c = b
    b = (b + rotateLeft(sum, shifts[round * 4 + (t & 3)]!)) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d)
  if (round === 1) return (b & d) | (c & ~d)
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d)
}

/** The word of a step in round r: factor · t + offset, modulo 16. */
const factors = Int32Array.of(1, 5, 3, 7)
const offsets = Int32Array.of(0, 1, 5, 0)
const shifts = Int32Array.of(7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21)
const sines = Int32Array.from({ length: 64 }, (_, t) => Math.floor(Math.abs(Math.sin(t + 1)) * 2 ** 32) | 0)
