import { nanosecondsOf } from '../../logfilter/nanoseconds.ts'

/** The forms that `momentOf` reads, in words. */
export const momentForms = 'Unix seconds, Unix nanoseconds or RFC 3339 such as 2026-01-02T03:04:05Z'

/**
 * Reads a time in the forms of Logpull. Seconds have at most 11 digits, until the year 5138; nanoseconds at least 18,
 * since 1973.
 * @returns ms since the epoch, rounded up; undefined for any other text
 */
export function momentOf(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text) * 1000
  if (/^\d{12,17}$/.test(text)) return undefined
  const nanoseconds = nanosecondsOf(text)
  return nanoseconds === undefined ? undefined : Number((nanoseconds + 999_999n) / 1_000_000n)
}
