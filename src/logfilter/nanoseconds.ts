/** Times as filters write them and records hold them: whole nanoseconds since 1970, in decimal digits. */

/** The last nanosecond in a signed 64-bit integer: in April 2262. */
const LAST = 2n ** 63n - 1n

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * A time of a filter: nanoseconds as a number or as text, or RFC 3339.
 * @returns undefined if it is neither, or before 1970 or after 2262
 * @source RFC 3339 section 5.6, without leap seconds
 */
export function nanosecondsOf(value: unknown): bigint | undefined {
  const nanoseconds =
    typeof value === 'string' ? ofText(value) : typeof value === 'bigint' ? value : ofNumber(value)
  return nanoseconds !== undefined && nanoseconds >= 0n && nanoseconds <= LAST ? nanoseconds : undefined
}

function ofNumber(value: unknown): bigint | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}

function ofText(text: string): bigint | undefined {
  if (/^\d{1,19}$/.test(text)) return BigInt(text)
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // A day beyond the month's last counts on into the next month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offsetMs = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  return BigInt(date.getTime() - offsetMs) * 1_000_000n + BigInt((match[7] ?? '').padEnd(9, '0'))
}

/** RFC 3339 in UTC, with as many decimals as needed. */
export function rfc3339Of(nanoseconds: bigint): string {
  const seconds = new Date(Number(nanoseconds / 1_000_000_000n) * 1000).toISOString().slice(0, 19)
  let fraction = String(nanoseconds % 1_000_000_000n).padStart(9, '0')
  while (fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`
}

const DIGITS = 20

/** A time to compare with, parsed once. */
export interface WantedTime {
  readonly value: bigint
  /** Without leading zeros; empty for 0. */
  readonly digits: string
}

export function wantedTime(value: bigint): WantedTime {
  return { value, digits: value === 0n ? '' : value.toString() }
}

/**
 * Compares a record's time, decimal text or a bigint, digit by digit: exact and without allocation. Anything but a time
 * counts as 0.
 * @returns below, at or above 0 for a record's time before, at or after the wanted one
 */
export function compareTime(recorded: unknown, wanted: WantedTime): number {
  if (typeof recorded === 'string') return compareDigits(recorded, wanted.digits)
  if (typeof recorded !== 'bigint') return wanted.digits === '' ? 0 : -1
  return recorded < wanted.value ? -1 : recorded > wanted.value ? 1 : 0
}

function compareDigits(text: string, wanted: string): number {
  if (!isDecimal(text)) return -wanted.length
  let start = 0
  while (text.charCodeAt(start) === ZERO) start++
  const longer = text.length - start - wanted.length
  if (longer !== 0) return longer
  for (let i = 0; i < wanted.length; i++) {
    const difference = text.charCodeAt(start + i) - wanted.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return 0
}

const ZERO = 0x30

function isDecimal(text: string): boolean {
  if (text.length > DIGITS) return false
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO
    if (digit < 0 || digit > 9) return false
  }
  return true
}
