import { stringOfBytes } from '../../kit/bytes.ts'

/** One buffer for the output of every transformation: they are synchronous and never call one another while writing. */
let scratch = new Uint8Array(4096)

/** The shared output buffer, at least `length` bytes. Its content is arbitrary. */
export function scratchOf(length: number): Uint8Array {
  if (scratch.length < length) scratch = new Uint8Array(Math.max(length, scratch.length * 2))
  return scratch
}

/** The shared buffer with the first `copied` bytes of `value` in it, at least as long as the whole value. */
export function scratchWith(value: string, copied: number, length: number = value.length): Uint8Array {
  const out = scratchOf(length)
  for (let i = 0; i < copied; i++) out[i] = value.charCodeAt(i)
  return out
}

/** Writes the bytes of `value` from `start` to `end` after `length` bytes; returns the new length. */
export function copyTo(out: Uint8Array, length: number, value: string, start: number, end: number): number {
  const shift = length - start
  for (let i = start; i < end; i++) out[i + shift] = value.charCodeAt(i)
  return end + shift
}

/** The written text, or `value` itself if it is the same. */
export function finish(out: Uint8Array, length: number, value: string): string {
  if (length !== value.length) return stringOfBytes(out, length)
  const text = stringOfBytes(out, length)
  return text === value ? value : text
}

/** A separate copy of the text: a slice that is kept beyond a request must not keep the whole body alive. */
export function flatCopy(value: string): string {
  return stringOfBytes(scratchWith(value, value.length), value.length)
}
