export type TimestampFormat = 'unixnano' | 'unix' | 'rfc3339' | 'rfc3339ms' | 'rfc3339ns'

export const timestampFormats: readonly TimestampFormat[] = [
  'unixnano',
  'unix',
  'rfc3339',
  'rfc3339ms',
  'rfc3339ns',
]

/** Decimals of the second in each text form; the other forms are bare numbers. */
const decimals: Readonly<Partial<Record<TimestampFormat, number>>> = {
  rfc3339: 0,
  rfc3339ms: 3,
  rfc3339ns: 9,
}

/**
 * Writes times in the line's form: bare whole numbers, or quoted RFC 3339 in UTC that ends in `Z`. Nanoseconds exceed
 * 2^53, so they stay decimal text. A missing time is 1970.
 * @source Cloudflare, "Log output options" and its change of 2026-03-25 (milliseconds and nanoseconds)
 */
export function timestampWriter(format: TimestampFormat): (value: unknown) => string {
  if (format === 'unixnano') return nanosecondsText
  if (format === 'unix') return value => secondsOf(nanosecondsText(value))
  return rfc3339Writer(decimals[format]!)
}

/** Digits of the nanoseconds within a second. */
const FRACTION = 9
/** Signed 64-bit nanoseconds have at most 19 digits; their first 10, as seconds, end in 2286. */
const DIGITS = 19

function nanosecondsText(value: unknown): string {
  return typeof value === 'string' && isDecimal(value) ? value : '0'
}

function secondsOf(nanoseconds: string): string {
  return nanoseconds.length > FRACTION ? nanoseconds.slice(0, -FRACTION) : '0'
}

/** Lines of the same second follow one another: the date is computed once for them. */
function rfc3339Writer(digits: number): (value: unknown) => string {
  let lastSeconds = ''
  let lastText = ''
  return value => {
    const nanoseconds = nanosecondsText(value)
    const seconds = secondsOf(nanoseconds)
    if (seconds !== lastSeconds) {
      lastText = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
      lastSeconds = seconds
    }
    if (digits === 0) return `"${lastText}Z"`
    const fraction = nanoseconds.slice(-FRACTION).padStart(FRACTION, '0').slice(0, digits)
    return `"${lastText}.${fraction}Z"`
  }
}

function isDecimal(text: string): boolean {
  if (text.length === 0 || text.length > DIGITS) return false
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) return false
  }
  return true
}
