/** The bytes of no part. */
export const noBytes = new Uint8Array(1)

/** One buffer for the current part: readers process one part at a time. */
let buffer = new Uint8Array(16 * 1024)

/**
 * The bytes of a part with a NUL after them, where a loop over a class of bytes can end; valid until the next call.
 * Reading them takes a third of the time of reading the characters of a string.
 */
export function bytesOfPart(part: string): Uint8Array<ArrayBuffer> {
  const { length } = part
  if (buffer.length <= length) buffer = new Uint8Array(Math.max(length + 1, 2 * buffer.length))
  if (nativeWrite !== undefined) nativeWrite(part, length)
  else for (let i = 0; i < length; i++) buffer[i] = part.charCodeAt(i)
  buffer[length] = 0
  return buffer
}

/**
 * The part from `start` to `end` as a separate string: transformations and searches read it several times, and each byte
 * of a slice of a longer string costs twice as much.
 * @param bytes of the part
 */
export function pieceOfPart(part: string, bytes: Uint8Array, start: number, end: number): string {
  if (nativeSlice === undefined || end - start < separateFromBytes) return part.slice(start, end)
  return nativeSlice(bytes, start, end)
}

/** The first offset from `start` on with a byte of the class, which must hold NUL. */
export function findClass(bytes: Uint8Array, start: number, byteClass: Uint8Array): number {
  let i = start
  while (byteClass[bytes[i]!] === 0) i++
  return i
}

/** Works without Node, too, where `Buffer` is faster. */
const nativeWrite =
  typeof Buffer === 'undefined'
    ? undefined
    : (part: string, length: number): number => Buffer.prototype.latin1Write.call(buffer, part, 0, length)

const nativeSlice =
  typeof Buffer === 'undefined'
    ? undefined
    : (bytes: Uint8Array, start: number, end: number): string =>
        Buffer.prototype.latin1Slice.call(bytes, start, end)

/** For shorter pieces, the call costs more than it saves. */
const separateFromBytes = 24

/** 1 for the white space of JSON and XML. */
export const isBlankByte = new Uint8Array(256)
for (const code of [0x09, 0x0a, 0x0d, 0x20]) isBlankByte[code] = 1
