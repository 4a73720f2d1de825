import { assert } from '../../kit/assert.ts'
import { base64Decode, base64DecodeExt, base64Encode } from './base64.ts'
import { lowercase, uppercase } from './case.ts'
import { cmdLine } from './cmd-line.ts'
import { removeComments, removeCommentsChar, replaceComments } from './comments.ts'
import { cssDecode } from './css-decode.ts'
import { escapeSeqDecode } from './escape-seq-decode.ts'
import { hexDecode, hexEncode, sqlHexDecode } from './hex.ts'
import { htmlEntityDecode } from './html-entity-decode.ts'
import { jsDecode } from './js-decode.ts'
import { length } from './length.ts'
import { md5 } from './md5.ts'
import { normalizePath, normalizePathWin } from './normalize-path.ts'
import { removeNulls, replaceNulls } from './nulls.ts'
import { parityEven7bit, parityOdd7bit, parityZero7bit } from './parity.ts'
import { phpArgsNames } from './php-args-names.ts'
import { sha1 } from './sha1.ts'
import type { Transformation } from './transformation.ts'
import { urlDecode } from './url-decode.ts'
import { urlDecodeUni } from './url-decode-uni.ts'
import { urlEncode } from './url-encode.ts'
import { utf8toUnicode } from './utf8-to-unicode.ts'
import { compressWhitespace, removeWhitespace, trim, trimLeft, trimRight } from './whitespace.ts'

/**
 * Every transformation by its canonical name; both spellings of the path ones are here. `none` is not: it is an
 * instruction to the list it stands in, not a change of a value.
 */
export const transformations: ReadonlyMap<string, Transformation> = new Map(
  Object.entries({
    base64Decode,
    base64DecodeExt,
    base64Encode,
    cmdLine,
    compressWhitespace,
    cssDecode,
    escapeSeqDecode,
    hexDecode,
    hexEncode,
    htmlEntityDecode,
    jsDecode,
    length,
    lowercase,
    md5,
    normalisePath: normalizePath,
    normalisePathWin: normalizePathWin,
    normalizePath,
    normalizePathWin,
    parityEven7bit,
    parityOdd7bit,
    parityZero7bit,
    phpArgsNames,
    removeComments,
    removeCommentsChar,
    removeNulls,
    removeWhitespace,
    replaceComments,
    replaceNulls,
    sha1,
    sqlHexDecode,
    trim,
    trimLeft,
    trimRight,
    uppercase,
    urlDecode,
    urlDecodeUni,
    urlEncode,
    utf8toUnicode,
  } satisfies Record<string, Transformation>),
)

const canonicalNames: ReadonlyMap<string, string> = new Map(
  [...transformations.keys()].map(name => [name.toLowerCase(), name]),
)
assert(canonicalNames.size === transformations.size, 'names of transformations differ by more than case')

/** The canonical spelling of a name in any case (`URLDECODEUNI` → `urlDecodeUni`); undefined for an unknown one. */
export function canonicalTransformation(name: string): string | undefined {
  return canonicalNames.get(name.toLowerCase())
}
