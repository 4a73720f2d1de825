import { PackReader, type PackWriter } from '../../kit/packing.ts'

/**
 * An image holds a program in one block of memory that many threads may share, or a file may keep: a head of four words
 * (what it is, its length in words with the head, two sums of the content), then the content. Nobody writes to it.
 */

/** Also tells the byte order of the machine that wrote it. To be counted up when the form of the content changes. */
const mark = 0x53_4c_49_01
const headWords = 4
const wordBytes = 4

/** Makes an image of what was written. */
export function sealImage(pack: PackWriter): SharedArrayBuffer {
  const content = pack.written()
  const image = new SharedArrayBuffer((headWords + content.length) * wordBytes)
  const words = new Int32Array(image)
  words.set(content, headWords)
  const [first, second] = sums(words)
  words.set([mark, words.length, first, second])
  return image
}

/** Is it an image of this version of the engine, whole and undamaged? O(its length). */
export function isImage(image: ArrayBufferLike): boolean {
  const words = wordsOf(image)
  if (words === undefined) return false
  const [first, second] = sums(words)
  return words[2] === first && words[3] === second
}

/** Reads the content of an image; undefined when it is not of this version of the engine, or not whole. */
export function openImage(image: ArrayBufferLike): PackReader | undefined {
  const words = wordsOf(image)
  return words === undefined ? undefined : new PackReader(words, headWords)
}

function wordsOf(image: ArrayBufferLike): Int32Array | undefined {
  if (image.byteLength % wordBytes !== 0 || image.byteLength < headWords * wordBytes) return undefined
  const words = new Int32Array(image)
  return words[0] === mark && words[1] === words.length ? words : undefined
}

/** Against accidents, not against forgers: who may write the image may as well change the rules. */
function sums(words: Int32Array): readonly [number, number] {
  let first = 0
  let second = 0
  for (let at = headWords; at < words.length; at++) {
    first = Math.imul(first ^ words[at]!, 0x01000193)
    second = (second + first + (second >>> 27)) | 0
  }
  return [first, second]
}
