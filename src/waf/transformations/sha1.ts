import { bytesOfWords, paddedWords, rotateLeft } from './digest-blocks.ts'

/** The 20 bytes of the SHA-1 digest. @source RFC 3174 */
export function sha1(value: string): string {
  const words = paddedWords(value, true)
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)
  for (let block = 0; block < words.length; block += 16) {
    for (let t = 0; t < 16; t++) schedule[t] = words[block + t]!
    for (let t = 16; t < 80; t++) {
      schedule[t] = rotateLeft(schedule[t - 3]! ^ schedule[t - 8]! ^ schedule[t - 14]! ^ schedule[t - 16]!, 1)
    }
    addBlock(state)
  }
  return bytesOfWords(state, true)
}

function addBlock(state: Int32Array): void {
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  for (let t = 0; t < 80; t++) {
    const next = (rotateLeft(a, 5) + mix(t, b, c, d) + e + schedule[t]!) | 0
    e = d
    d = c
    c = rotateLeft(b, 30)
    b = a
    a = next
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
}

/** The function of the step's quarter plus its constant. */
function mix(t: number, b: number, c: number, d: number): number {
  if (t < 20) return (((b & c) | (~b & d)) + 0x5a827999) | 0
  if (t < 40) return ((b ^ c ^ d) + 0x6ed9eba1) | 0
  if (t < 60) return (((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc) | 0
  return ((b ^ c ^ d) + 0xca62c1d6) | 0
}

/** Reused for each block. */
const schedule = new Int32Array(80)
