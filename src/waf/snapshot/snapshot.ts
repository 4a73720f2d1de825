import { PackReader, type PackWriter } from '../../kit/packing.ts'

/**
 * A program snapshot holds a program in one block of memory that threads can share and a file can store. It has a head
 * of four words (mark, length in words with the head, two checksums of the content), then the content. It is never
 * written to.
 */

/** Also shows the byte order of the machine that wrote it. Increment it when the form of the content changes. */
const mark = 0x53_4c_49_01
const headWords = 4
const wordBytes = 4

/** Makes a snapshot of the written content. */
export function sealSnapshot(pack: PackWriter): SharedArrayBuffer {
  const content = pack.written()
  const snapshot = new SharedArrayBuffer((headWords + content.length) * wordBytes)
  const words = new Int32Array(snapshot)
  words.set(content, headWords)
  const [first, second] = sums(words)
  words.set([mark, words.length, first, second])
  return snapshot
}

/** Whether it is a complete, undamaged snapshot of this version of the engine. O(its length). */
export function isSnapshot(snapshot: ArrayBufferLike): boolean {
  const words = wordsOf(snapshot)
  if (words === undefined) return false
  const [first, second] = sums(words)
  return words[2] === first && words[3] === second
}

/** Reads the content of a snapshot; undefined if it is incomplete or not of this version of the engine. */
export function openSnapshot(snapshot: ArrayBufferLike): PackReader | undefined {
  const words = wordsOf(snapshot)
  return words === undefined ? undefined : new PackReader(words, headWords)
}

function wordsOf(snapshot: ArrayBufferLike): Int32Array | undefined {
  if (snapshot.byteLength % wordBytes !== 0 || snapshot.byteLength < headWords * wordBytes) return undefined
  const words = new Int32Array(snapshot)
  return words[0] === mark && words[1] === words.length ? words : undefined
}

/** Protects against accidents, not against forgers: a process that can write the snapshot can also change the rules. */
function sums(words: Int32Array): readonly [number, number] {
  let first = 0
  let second = 0
  for (let at = headWords; at < words.length; at++) {
    first = Math.imul(first ^ words[at]!, 0x01000193)
    second = (second + first + (second >>> 27)) | 0
  }
  return [first, second]
}
