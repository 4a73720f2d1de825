import { assert } from '../../kit/assert.ts'
import { ByteSet } from '../../regex/index.ts'
import { base64Decode, base64DecodeExt, base64Encode, base64Reaches } from './base64.ts'
import { lowercase, uppercase } from './case.ts'
import { cmdLine } from './cmd-line.ts'
import { removeComments, removeCommentsChar, replaceComments } from './comments.ts'
import { cssDecode } from './css-decode.ts'
import { escapeSeqDecode } from './escape-seq-decode.ts'
import { hexDecode, hexDecodeReaches, hexEncode, sqlHexDecode } from './hex.ts'
import { htmlEntityDecode } from './html-entity-decode.ts'
import { jsDecode } from './js-decode.ts'
import { length } from './length.ts'
import { md5 } from './md5.ts'
import {
  normalizePath,
  normalizePathInSlices,
  normalizePathWin,
  normalizePathWinInSlices,
} from './normalize-path.ts'
import { removeNulls, replaceNulls } from './nulls.ts'
import { parityEven7bit, parityOdd7bit, parityZero7bit } from './parity.ts'
import { phpArgsNames } from './php-args-names.ts'
import { inPieces, type Seam } from './pieces.ts'
import {
  anywhere,
  behindOther,
  betweenCharacters,
  everyBytes,
  outsideBackslashEscape,
  outsideComment,
  outsideEntity,
  outsideHexLiteral,
  outsidePercentEscape,
} from './seams.ts'
import { sha1 } from './sha1.ts'
import type { Transformation, TransformationRow } from './transformation.ts'
import { urlDecode } from './url-decode.ts'
import { urlDecodeUni } from './url-decode-uni.ts'
import { urlEncode } from './url-encode.ts'
import { utf8toUnicode } from './utf8-to-unicode.ts'
import { compressWhitespace, removeWhitespace, trim, trimLeft, trimRight } from './whitespace.ts'

const no = new ByteSet()
const blank = ByteSet.of([0x20])
const spaces = ByteSet.of([0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d])

// Without a slash only `.` alone changes.
const paths: TransformationRow = {
  ...on(bytesIn('/.'), normalizePath),
  introduces: no,
  applyInSlices: normalizePathInSlices,
}
const windowsPaths: TransformationRow = {
  ...on(bytesIn('/.\\'), normalizePathWin),
  introduces: bytesIn('/'),
  applyInSlices: normalizePathWinInSlices,
}

/**
 * Every transformation by its canonical name, with both spellings of the path ones. `none` is absent: it is an
 * instruction to its list, not a change of a value.
 *
 * Triggers are as few bytes as each change needs: of a sign of two bytes (slash-star, `0x`) the rarer one.
 */
export const transformations: ReadonlyMap<string, TransformationRow> = new Map(
  Object.entries({
    base64Decode: { ...always(base64Decode), grows: false, reaches: base64Reaches },
    base64DecodeExt: { ...always(base64DecodeExt), grows: false },
    base64Encode: always(base64Encode, everyBytes(3)),
    // A slash or a parenthesis changes only after a blank.
    cmdLine: {
      ...on(bytesIn('"\'\\^ ,;\t\r\n'), cmdLine, behindOther('"\'\\^ ,;\t\r\n')),
      introduces: blank,
      foldsCase: true,
    },
    compressWhitespace: {
      ...on(spaces.union(bytesIn('\xa0')), compressWhitespace, behindOther(' \t\n\v\f\r\xa0')),
      introduces: blank,
    },
    cssDecode: on(bytesIn('\\'), cssDecode, outsideBackslashEscape),
    escapeSeqDecode: on(bytesIn('\\'), escapeSeqDecode, outsideBackslashEscape),
    hexDecode: { ...always(hexDecode, everyBytes(2)), grows: false, reaches: hexDecodeReaches },
    hexEncode: always(hexEncode, anywhere),
    htmlEntityDecode: on(bytesIn('&'), htmlEntityDecode, outsideEntity),
    jsDecode: on(bytesIn('\\'), jsDecode, outsideBackslashEscape),
    length: always(length),
    lowercase: { ...on(no, lowercase, anywhere), introduces: no, foldsCase: true },
    md5: always(md5),
    normalisePath: paths,
    normalisePathWin: windowsPaths,
    normalizePath: paths,
    normalizePathWin: windowsPaths,
    parityEven7bit: byByte(parityEven7bit),
    parityOdd7bit: byByte(parityOdd7bit),
    parityZero7bit: byByte(parityZero7bit),
    phpArgsNames: on(bytesIn(' .['), phpArgsNames),
    removeComments: { ...on(bytesIn('*-#'), removeComments), introduces: blank },
    removeCommentsChar: {
      ...on(bytesIn('*-#'), removeCommentsChar, behindOther('/*<!-')),
      introduces: no,
    },
    removeNulls: byByte(removeNulls),
    removeWhitespace: byByte(removeWhitespace),
    replaceComments: { ...on(bytesIn('*'), replaceComments, outsideComment), introduces: blank },
    replaceNulls: byByte(replaceNulls),
    sha1: always(sha1),
    sqlHexDecode: on(bytesIn('xX'), sqlHexDecode, outsideHexLiteral),
    trim: { ...on(spaces, trim), introduces: no },
    trimLeft: { ...on(spaces, trimLeft), introduces: no },
    trimRight: { ...on(spaces, trimRight), introduces: no },
    uppercase: byByte(uppercase),
    urlDecode: on(bytesIn('%+'), urlDecode, outsidePercentEscape),
    urlDecodeUni: on(bytesIn('%+'), urlDecodeUni, outsidePercentEscape),
    urlEncode: { ...byByte(urlEncode), grows: true },
    // First bytes of the characters of two to four bytes.
    utf8toUnicode: { ...on(ByteSet.range(0xc2, 0xf4), utf8toUnicode, betweenCharacters), grows: true },
  } satisfies Record<string, TransformationRow>),
)

function on(triggers: ByteSet, apply: Transformation, seam?: Seam): TransformationRow {
  return { ...always(apply, seam), triggers, grows: false }
}

/** For transformations that change each byte separately: the bytes that change. */
function byByte(apply: Transformation): TransformationRow {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const changed = bytes.filter(byte => apply(String.fromCharCode(byte)) !== String.fromCharCode(byte))
  const results = changed.map(byte => apply(String.fromCharCode(byte))).join('')
  return { ...on(ByteSet.of(changed), apply, anywhere), introduces: bytesIn(results) }
}

function always(apply: Transformation, seam?: Seam): TransformationRow {
  const applyInSlices: TransformationRow['applyInSlices'] =
    seam === undefined ? undefined : (value, bytes) => inPieces(apply, seam, value, bytes)
  return {
    apply,
    applyInSlices,
    triggers: undefined,
    introduces: ByteSet.range(0, 0xff),
    foldsCase: false,
    grows: true,
    reaches: undefined,
  }
}

function bytesIn(text: string): ByteSet {
  return ByteSet.of(Array.from(text, sign => sign.charCodeAt(0)))
}

const canonicalNames: ReadonlyMap<string, string> = new Map(
  [...transformations.keys()].map(name => [name.toLowerCase(), name]),
)
assert(canonicalNames.size === transformations.size, 'names of transformations differ by more than case')

/** The canonical spelling of a name in any case (`URLDECODEUNI` → `urlDecodeUni`); undefined for an unknown one. */
export function canonicalTransformation(name: string): string | undefined {
  return canonicalNames.get(name.toLowerCase())
}
