import { asciiLower } from '../../../kit/ascii.ts'
import { trimmed } from '../../../kit/blanks.ts'

/** Bytes at the beginning of a body that identify its type, at offset `at`. */
interface Signature {
  readonly type: string
  readonly bytes: string
  readonly at?: number
}

/** @source WHATWG MIME Sniffing, sections 6 and 7; the formats' own specifications */
const signatures: readonly Signature[] = [
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/webp', bytes: 'WEBPVP', at: 8 },
  { type: 'image/bmp', bytes: 'BM' },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'image/x-icon', bytes: '\0\0\x01\0' },
  { type: 'image/avif', bytes: 'ftypavif', at: 4 },
  { type: 'image/heic', bytes: 'ftypheic', at: 4 },
  { type: 'video/mp4', bytes: 'ftyp', at: 4 },
  { type: 'video/webm', bytes: '\x1aE\xdf\xa3' },
  { type: 'video/x-msvideo', bytes: 'AVI ', at: 8 },
  { type: 'audio/wav', bytes: 'WAVE', at: 8 },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'audio/midi', bytes: 'MThd' },
  { type: 'application/ogg', bytes: 'OggS\0' },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/postscript', bytes: '%!PS-Adobe-' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/gzip', bytes: '\x1f\x8b\x08' },
  { type: 'application/x-bzip2', bytes: 'BZh' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/zstd', bytes: '\x28\xb5\x2f\xfd' },
  { type: 'application/x-7z-compressed', bytes: "7z\xbc\xaf'\x1c" },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'application/x-tar', bytes: 'ustar', at: 257 },
  { type: 'application/x-executable', bytes: '\x7fELF' },
  { type: 'application/vnd.microsoft.portable-executable', bytes: 'MZ' },
  { type: 'application/wasm', bytes: '\0asm' },
  { type: 'application/java-vm', bytes: '\xca\xfe\xba\xbe' },
  { type: 'application/vnd.sqlite3', bytes: 'SQLite format 3\0' },
  { type: 'application/rtf', bytes: '{\\rtf' },
  { type: 'font/woff', bytes: 'wOFF' },
  { type: 'font/woff2', bytes: 'wOF2' },
]

/** After white space, in any case. */
const textSignatures: readonly Signature[] = [
  { type: 'text/html', bytes: '<!doctype html' },
  { type: 'text/html', bytes: '<html' },
  { type: 'image/svg+xml', bytes: '<svg' },
  { type: 'text/xml', bytes: '<?xml' },
]

/** Bytes of a body that are inspected (WHATWG MIME Sniffing, "resource header"). */
const sniffedBytes = 1445

/**
 * The media type according to the first bytes of a body, regardless of its Content-Type. Empty for types without a
 * signature, such as forms and JSON.
 */
export function sniffedType(body: string): string {
  for (const { type, bytes, at = 0 } of signatures) if (body.startsWith(bytes, at)) return type
  const start = asciiLower(trimmed(body.slice(0, sniffedBytes)).slice(0, 16))
  return textSignatures.find(({ bytes }) => start.startsWith(bytes))?.type ?? ''
}
