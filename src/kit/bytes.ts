/**
 * Byte strings: the engine and the expression language see bytes as latin-1 strings, one code unit a byte.
 */

const encoder = new TextEncoder()
/** A byte order mark is kept as text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Short texts share one buffer: allocating an array costs more than the work on them. */
const SCRATCH_CHARACTERS = 1024
const scratch = new Uint8Array(3 * SCRATCH_CHARACTERS)

/** UTF-8 bytes of a text as a byte string. A lone surrogate becomes U+FFFD. */
export function bytesOfText(text: string): string {
  if (isAscii(text)) return text
  if (text.length > SCRATCH_CHARACTERS) return stringOfBytes(encoder.encode(text))
  const { written } = encoder.encodeInto(text, scratch)
  return stringOfBytes(scratch, written)
}

/** The text that a byte string holds; invalid sequences become U+FFFD. */
export function textOfBytes(bytes: string): string {
  if (isAscii(bytes)) return bytes
  const { length } = bytes
  const array = length > scratch.length ? new Uint8Array(length) : scratch.subarray(0, length)
  for (let i = 0; i < length; i++) array[i] = bytes.charCodeAt(i)
  return decoder.decode(array)
}

/** The same in either form: most texts are. */
function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** The first `length` bytes as a byte string. One pass; works without Node, where `Buffer` has the fast way. */
export function stringOfBytes(bytes: Uint8Array, length: number = bytes.length): string {
  if (length > INLINE_BYTES)
    return nativeSlice === undefined ? joinChunks(bytes, length) : nativeSlice(bytes, length)
  const codes = codesByLength[length]!
  for (let i = 0; i < length; i++) codes[i] = bytes[i]!
  return String.fromCharCode.apply(null, codes)
}

/** Up to this length the call into Buffer costs more than it saves. */
const INLINE_BYTES = 24
/** An array of each length up to the limit, because `apply` uses the whole array. */
const codesByLength: readonly number[][] = Array.from({ length: INLINE_BYTES + 1 }, (_, length) =>
  Array.from({ length }, () => 0),
)
/** Number of arguments that every engine accepts in one call. */
const CHUNK_BYTES = 8192

const nativeSlice =
  typeof Buffer === 'undefined'
    ? undefined
    : (bytes: Uint8Array, length: number): string => Buffer.prototype.latin1Slice.call(bytes, 0, length)

function joinChunks(bytes: Uint8Array, length: number): string {
  let text = ''
  for (let start = 0; start < length; start += CHUNK_BYTES) {
    const chunk = bytes.subarray(start, Math.min(start + CHUNK_BYTES, length))
    text += String.fromCharCode(...chunk)
  }
  return text
}
