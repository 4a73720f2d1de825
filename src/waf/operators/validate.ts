import { hexValue, isDigit, isSpace } from '../../kit/ascii.ts'
import { ByteSet } from '../../regex/index.ts'
import { readMultiByte } from '../transformations/utf8.ts'
import { type OperatorFactory, ready, refused } from './operator.ts'

/** Matches if some byte of the value is not in the list: decimal bytes and ranges, `9,10,13,32-126`. */
export const validateByteRange: OperatorFactory = parameter => {
  const allowed = new Uint8Array(256)
  let offset = 0
  for (const item of parameter.split(',')) {
    const range = parseRange(item)
    if (range === undefined)
      return refused(`${item} is no byte and no range of bytes (0–255)`, offset, item.length)
    allowed.fill(1, range[0], range[1] + 1)
    offset += item.length + 1
  }
  const test = (value: string): boolean => {
    for (let i = 0; i < value.length; i++) if (allowed[value.charCodeAt(i)] === 0) return true
    return false
  }
  const forbidden = ByteSet.of([...allowed.keys()].filter(byte => allowed[byte] === 0))
  return ready(test, { requirements: [{ kind: 'bytes', bytes: forbidden }] })
}

/** Matches if two hex digits do not follow a `%`. */
export const validateUrlEncoding: OperatorFactory = () =>
  ready(hasBadEscape, { requirements: [{ kind: 'bytes', bytes: ByteSet.of([0x25]) }] })

function hasBadEscape(value: string): boolean {
  for (let at = value.indexOf('%'); at >= 0; at = value.indexOf('%', at + 1)) {
    if (hexValue(value.charCodeAt(at + 1)) < 0 || hexValue(value.charCodeAt(at + 2)) < 0) return true
  }
  return false
}

/** Matches on the first byte that is not UTF-8: wrong or missing continuation, overlong, surrogate, above U+10FFFF. */
export const validateUtf8Encoding: OperatorFactory = () =>
  ready(hasBadUtf8, { requirements: [{ kind: 'bytes', bytes: ByteSet.range(0x80, 0xff) }] })

function hasBadUtf8(value: string): boolean {
  let all = 0
  for (let i = 0; i < value.length; i++) all |= value.charCodeAt(i)
  return all >= 0x80 && hasBadCharacter(value)
}

function hasBadCharacter(value: string): boolean {
  let i = 0
  while (i < value.length) {
    if (value.charCodeAt(i) < 0x80) {
      i++
      continue
    }
    const read = readMultiByte(value, i)
    if (read < 0) return true
    i += read & 7
  }
  return false
}

function parseRange(item: string): readonly [number, number] | undefined {
  const dash = item.indexOf('-')
  const first = parseByte(dash < 0 ? item : item.slice(0, dash))
  const last = dash < 0 ? first : parseByte(item.slice(dash + 1))
  return first < 0 || last < first ? undefined : [first, last]
}

/** 0–255 with blanks around; -1 for anything else. */
function parseByte(text: string): number {
  let i = 0
  let number = 0
  while (isSpace(text.charCodeAt(i))) i++
  const start = i
  for (; isDigit(text.charCodeAt(i)) && number <= 255; i++) number = number * 10 + text.charCodeAt(i) - 0x30
  if (i === start || number > 255) return -1
  while (isSpace(text.charCodeAt(i))) i++
  return i === text.length ? number : -1
}
