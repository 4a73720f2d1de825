import { isDigit } from '../../../kit/ascii.ts'

const digitsMin = 13
const digitsMax = 19

/**
 * Payment card numbers in a text: all digits but the last four become `*`. One is 13 to 19 digits (ISO/IEC 7812) that an
 * issuer of cards begins so, that pass Luhn's test, and that are not part of more digits; single spaces, hyphens, `+` and
 * `%20` may stand between.
 *
 * Every 13th character is looked at, and more of the text only where that could be in a number: most texts have none.
 * @returns the same string when nothing changed
 */
export function maskCardNumbers(text: string): string {
  let masked = ''
  let copied = 0
  let past = 0
  for (let at = digitsMin - 1; at < text.length; at += digitsMin) {
    if (!inNumber(text.charCodeAt(at))) continue
    let start = at
    while (start > past && inNumber(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (end < text.length && inNumber(text.charCodeAt(end))) end++
    past = end
    at = end - 1
    if (end - start < digitsMin) continue
    const run = text.slice(start, end)
    const maskedRun = maskRun(run)
    if (maskedRun === run) continue
    masked += text.slice(copied, start) + maskedRun
    copied = end
  }
  return copied === 0 ? text : masked + text.slice(copied)
}

/** A digit or part of what stands between two. */
function inNumber(code: number): boolean {
  return isDigit(code) || code === 0x20 || code === 0x25 || code === 0x2b || code === 0x2d
}

/** The digits of a run, by groups that nothing stands within. */
interface Digits {
  readonly values: readonly number[]
  /** Of each digit, in the run. */
  readonly places: readonly number[]
  /** Index of the first digit of each group, and at last their number. */
  readonly groups: readonly number[]
  /** Whether a single separator joins the group to the one before. */
  readonly joined: readonly boolean[]
}

/** Each group begins at most 19 attempts: linear. */
function maskRun(run: string): string {
  const digits = digitsOf(run)
  const { groups } = digits
  let masked = ''
  let copied = 0
  for (let group = 0; group < groups.length - 1; ) {
    const end = cardEnd(digits, group)
    if (end === undefined) {
      group++
      continue
    }
    const lastMasked = groups[end]! - 4
    for (let digit = groups[group]!; digit < lastMasked; digit++) {
      const place = digits.places[digit]!
      masked += `${run.slice(copied, place)}*`
      copied = place + 1
    }
    group = end
  }
  return copied === 0 ? run : masked + run.slice(copied)
}

function digitsOf(run: string): Digits {
  const values: number[] = []
  const places: number[] = []
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
      places.push(at)
    } else if (code !== 0x25) separators++
    else {
      // A percent-encoded byte: a space separates like any other, what else it may be does not belong to a number.
      separators += run.startsWith('20', at + 1) ? 1 : 2
      at += 2
    }
  }
  groups.push(values.length)
  return { values, places, groups, joined }
}

/** The group after the longest number that begins with this group; undefined when none does. */
function cardEnd({ values, groups, joined }: Digits, group: number): number | undefined {
  const first = groups[group]!
  let found: number | undefined
  for (let end = group + 1; end < groups.length; end++) {
    const count = groups[end]! - first
    if (count > digitsMax) break
    if (count >= digitsMin && isIssued(values, first, count) && passesLuhn(values, first, count)) found = end
    if (!joined[end]) break
  }
  return found
}

/** First four digits, from and to, and how many a number has: Visa, Mastercard, American Express and so on. */
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
