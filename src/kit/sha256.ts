/**
 * SHA-256 and HMAC over byte strings in plain code: modules that run in a browser need the result synchronously, and
 * Web Crypto is asynchronous.
 * @source FIPS 180-4, RFC 2104
 */

const blockBytes = 64

const rounds = new Uint32Array(64)
const initial = new Uint32Array(8)
fillConstants()

/** Fractional bits of the square roots of the first 8 primes and of the cube roots of the first 64. */
function fillConstants(): void {
  let count = 0
  for (let candidate = 2; count < 64; candidate++) {
    if (!isPrime(candidate)) continue
    if (count < 8) initial[count] = fractionBits(Math.sqrt(candidate))
    rounds[count++] = fractionBits(Math.cbrt(candidate))
  }
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false
  return true
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

const schedule = new Uint32Array(64)

/** @returns 32 bytes as a byte string */
export function sha256(bytes: string): string {
  const state = Uint32Array.from(initial)
  let at = 0
  for (; at + blockBytes <= bytes.length; at += blockBytes) compress(state, bytes, at)
  const tail = `${bytes.slice(at)}\x80`
  const zeros = '\0'.repeat((2 * blockBytes - 8 - tail.length) % blockBytes)
  const last = tail + zeros + word(Math.floor(bytes.length / 2 ** 29)) + word(bytes.length << 3)
  for (let block = 0; block < last.length; block += blockBytes) compress(state, last, block)
  return Array.from(state, word).join('')
}

/** @returns 32 bytes as a byte string */
export function hmacSha256(key: string, message: string): string {
  const short = key.length > blockBytes ? sha256(key) : key
  const padded = short + '\0'.repeat(blockBytes - short.length)
  return sha256(masked(padded, 0x5c) + sha256(masked(padded, 0x36) + message))
}

function masked(bytes: string, mask: number): string {
  return Array.from(bytes, byte => String.fromCharCode(byte.charCodeAt(0) ^ mask)).join('')
}

function word(value: number): string {
  return String.fromCharCode((value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff)
}

function compress(state: Uint32Array, bytes: string, at: number): void {
  expand(bytes, at)
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const mix1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const add1 = (h + mix1 + ((e & f) ^ (~e & g)) + rounds[i]! + schedule[i]!) | 0
    const mix2 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const add2 = (mix2 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + add1) | 0
    d = c
    c = b
    b = a
    a = (add1 + add2) | 0
  }
  const after = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = state[i]! + after[i]!
}

function expand(bytes: string, at: number): void {
  for (let i = 0; i < 16; i++) {
    const from = at + 4 * i
    schedule[i] =
      (bytes.charCodeAt(from) << 24) |
      (bytes.charCodeAt(from + 1) << 16) |
      (bytes.charCodeAt(from + 2) << 8) |
      bytes.charCodeAt(from + 3)
  }
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!
    const late = schedule[i - 2]!
    const mix0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const mix1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    schedule[i] = schedule[i - 16]! + mix0 + schedule[i - 7]! + mix1
  }
}

function turned(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}
