import { isAlphanumeric, isDigit } from '../../../kit/ascii.ts'

const shortestCard = 13
const longestCard = 19

/**
 * Masks payment card numbers in a text: all digits except the last four become `*`. A card number has 13 to 19 digits
 * (ISO/IEC 7812), begins with the prefix of an issuer and passes the Luhn check. It is not part of a longer number, a UUID
 * or an identifier with letters. Single spaces, hyphens, `+` and `%20` may separate its digits.
 *
 * Only every 13th character is checked, and its surroundings only when it can belong to a number.
 * @returns the same string when nothing changed
 */
export function maskCardNumbers(text: string): string {
  let masked = ''
  let copied = 0
  let past = 0
  for (let at = shortestCard - 1; at < text.length; at += shortestCard) {
    if (!inNumber(text.charCodeAt(at))) continue
    let start = at
    while (start > past && inNumber(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (end < text.length && inNumber(text.charCodeAt(end))) end++
    past = end
    at = end - 1
    if (end - start < shortestCard) continue
    const run = text.slice(start, end)
    const maskedRun = maskRun(run, (from, to) => standsAlone(text, start + from, start + to))
    if (maskedRun === run) continue
    masked += text.slice(copied, start) + maskedRun
    copied = end
  }
  return copied === 0 ? text : masked + text.slice(copied)
}

/** A digit, or a part of a separator. */
function inNumber(code: number): boolean {
  return isDigit(code) || code === 0x20 || code === 0x25 || code === 0x2b || code === 0x2d
}

/** The digits of a run, in groups without separators. */
interface Digits {
  readonly values: readonly number[]
  /** The position of each digit in the run. */
  readonly positions: readonly number[]
  /** Index of the first digit of each group, then the number of digits. */
  readonly groups: readonly number[]
  /** A single separator joins the group to the previous one. */
  readonly joined: readonly boolean[]
}

/**
 * Linear, because each group starts at most 19 attempts.
 * @param isAlone tests the digits between two positions of the run
 */
function maskRun(run: string, isAlone: (from: number, to: number) => boolean): string {
  const digits = digitsOf(run)
  const { groups } = digits
  let masked = ''
  let copied = 0
  for (let group = 0; group < groups.length - 1; ) {
    const end = cardEnd(digits, group)
    if (
      end === undefined ||
      !isAlone(digits.positions[groups[group]!]!, digits.positions[groups[end]! - 1]! + 1)
    ) {
      group++
      continue
    }
    const lastMasked = groups[end]! - 4
    for (let digit = groups[group]!; digit < lastMasked; digit++) {
      const position = digits.positions[digit]!
      masked += `${run.slice(copied, position)}*`
      copied = position + 1
    }
    group = end
  }
  return copied === 0 ? run : masked + run.slice(copied)
}

function digitsOf(run: string): Digits {
  const values: number[] = []
  const positions: number[] = []
  const groups: number[] = []
  const joined: boolean[] = []
  let separators = 0
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at)
    if (isDigit(code)) {
      if (values.length === 0 || separators > 0) {
        groups.push(values.length)
        joined.push(separators === 1)
        separators = 0
      }
      values.push(code - 0x30)
      positions.push(at)
    } else if (code !== 0x25) separators++
    else {
      // A percent-encoded space is a separator. Any other percent-encoded byte ends the number.
      separators += run.startsWith('20', at + 1) ? 1 : 2
      at += 2
    }
  }
  groups.push(values.length)
  return { values, positions, groups, joined }
}

/** The group after the longest card number that begins with this group; undefined when there is none. */
function cardEnd({ values, groups, joined }: Digits, group: number): number | undefined {
  const first = groups[group]!
  let found: number | undefined
  for (let end = group + 1; end < groups.length; end++) {
    const count = groups[end]! - first
    if (count > longestCard) break
    if (count >= shortestCard && isIssued(values, first, count) && passesLuhn(values, first, count))
      found = end
    if (!joined[end]) break
  }
  return found
}

/** @returns false when the number belongs to a UUID, or to an identifier of letters and digits, possibly with hyphens */
function standsAlone(text: string, from: number, to: number): boolean {
  let start = from
  while (from - start < identifierCharacters && isOfIdentifier(text, start - 1)) start--
  let end = to
  while (end - to < identifierCharacters && isOfIdentifier(text, end)) end++
  const identifier = text.slice(start, end)
  if (uuid.test(identifier)) return false
  return !identifier.split(/[-_]/).some(piece => /[A-Za-z]/.test(piece) && /[0-9]/.test(piece))
}

/** Longest part of an identifier that is checked on each side. */
const identifierCharacters = 64
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** A letter, digit, hyphen or underscore outside of percent-encoded bytes. */
function isOfIdentifier(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (!isAlphanumeric(code) && code !== 0x2d && code !== 0x5f) return false
  return text[at - 1] !== '%' && text[at - 2] !== '%'
}

/** Ranges of the first four digits, and the lengths of their numbers: Visa, Mastercard, American Express and others. */
const issuers: readonly (readonly [from: number, to: number, counts: readonly number[]])[] = [
  [2200, 2204, [16, 17, 18, 19]],
  [2221, 2720, [16]],
  [3000, 3059, [14, 16, 17, 18, 19]],
  [3095, 3095, [14, 16, 17, 18, 19]],
  [3400, 3499, [15]],
  [3528, 3589, [16, 17, 18, 19]],
  [3600, 3699, [14, 16, 17, 18, 19]],
  [3700, 3799, [15]],
  [3800, 3999, [14, 16, 17, 18, 19]],
  [4000, 4999, [13, 16, 19]],
  [5000, 5099, [16, 17, 18, 19]],
  [5100, 5599, [16]],
  [5600, 5899, [16, 17, 18, 19]],
  [6000, 6999, [16, 17, 18, 19]],
  [8100, 8299, [16, 17, 18, 19]],
  [9792, 9792, [16]],
]

function isIssued(values: readonly number[], first: number, count: number): boolean {
  const prefix =
    values[first]! * 1000 + values[first + 1]! * 100 + values[first + 2]! * 10 + values[first + 3]!
  return issuers.some(([from, to, counts]) => prefix >= from && prefix <= to && counts.includes(count))
}

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(values: readonly number[], first: number, count: number): boolean {
  let sum = 0
  for (let at = 0; at < count; at++) {
    const digit = values[first + count - 1 - at]!
    sum += at % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return sum % 10 === 0
}
