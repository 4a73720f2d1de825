/**
 * SipHash-2-4 with 128 bits of output: without the key, an attacker cannot construct collisions. About a nanosecond
 * per byte; no allocation.
 * @param key four words, little-endian
 * @param bytes byte string
 * @param out receives the four words of the hash, little-endian
 * @source Aumasson and Bernstein, "SipHash: a fast short-input PRF"; the 128-bit form is the reference
 *   implementation's
 */
export function sipHash128(key: Uint32Array, bytes: string, out: Uint32Array): void {
  const k0 = key[0]!
  const k1 = key[1]!
  const k2 = key[2]!
  const k3 = key[3]!
  // Four 64-bit words, each as a lower and an upper half.
  let v0l = k0 ^ 0x70736575
  let v0h = k1 ^ 0x736f6d65
  let v1l = k2 ^ 0x6e646f6d ^ 0xee
  let v1h = k3 ^ 0x646f7261
  let v2l = k0 ^ 0x6e657261
  let v2h = k1 ^ 0x6c796765
  let v3l = k2 ^ 0x79746573
  let v3h = k3 ^ 0x74656462

  const { length } = bytes
  const words = (length >>> 3) + 1
  // Every word of the input takes two rounds; each half of the output takes four more.
  for (let step = 0; step < words + 2; step++) {
    let low = 0
    let high = 0
    let rounds = 2
    if (step < words) {
      const at = step << 3
      if (at + 8 <= length) {
        low = fourBytes(bytes, at)
        high = fourBytes(bytes, at + 4)
      } else {
        low = lastBytes(bytes, at)
        high = lastBytes(bytes, at + 4) | (length << 24)
      }
      v3l ^= low
      v3h ^= high
    } else {
      rounds = 4
      if (step === words) v2l ^= 0xee
      else v1l ^= 0xdd
    }
    for (let round = 0; round < rounds; round++) {
      let sum = (v0l >>> 0) + (v1l >>> 0)
      v0h = (v0h + v1h + (sum > 0xffffffff ? 1 : 0)) | 0
      v0l = sum | 0
      sum = (v2l >>> 0) + (v3l >>> 0)
      v2h = (v2h + v3h + (sum > 0xffffffff ? 1 : 0)) | 0
      v2l = sum | 0
      let turned = (v1l << 13) | (v1h >>> 19)
      v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h
      v1l = turned ^ v0l
      turned = (v3l << 16) | (v3h >>> 16)
      v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h
      v3l = turned ^ v2l
      turned = v0l
      v0l = v0h
      v0h = turned
      sum = (v2l >>> 0) + (v1l >>> 0)
      v2h = (v2h + v1h + (sum > 0xffffffff ? 1 : 0)) | 0
      v2l = sum | 0
      sum = (v0l >>> 0) + (v3l >>> 0)
      v0h = (v0h + v3h + (sum > 0xffffffff ? 1 : 0)) | 0
      v0l = sum | 0
      turned = (v1l << 17) | (v1h >>> 15)
      v1h = ((v1h << 17) | (v1l >>> 15)) ^ v2h
      v1l = turned ^ v2l
      turned = (v3l << 21) | (v3h >>> 11)
      v3h = ((v3h << 21) | (v3l >>> 11)) ^ v0h
      v3l = turned ^ v0l
      turned = v2l
      v2l = v2h
      v2h = turned
    }
    if (step < words) {
      v0l ^= low
      v0h ^= high
    } else {
      const half = (step - words) << 1
      out[half] = v0l ^ v1l ^ v2l ^ v3l
      out[half + 1] = v0h ^ v1h ^ v2h ^ v3h
    }
  }
}

function fourBytes(bytes: string, at: number): number {
  return (
    (bytes.charCodeAt(at) & 0xff) |
    ((bytes.charCodeAt(at + 1) & 0xff) << 8) |
    ((bytes.charCodeAt(at + 2) & 0xff) << 16) |
    ((bytes.charCodeAt(at + 3) & 0xff) << 24)
  )
}

/** Up to four bytes, where the text may end. */
function lastBytes(bytes: string, from: number): number {
  let word = 0
  for (let at = from; at < from + 4 && at < bytes.length; at++)
    word |= (bytes.charCodeAt(at) & 0xff) << ((at - from) << 3)
  return word
}
