/** The most bars that stay distinguishable. */
const barsMax = 100

/** Bar lengths in seconds that suit an axis. */
const steps = [60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400]

/** @returns the length of a bar in seconds, whole minutes */
export function stepFor(since: string, until: string): number {
  const seconds = (Date.parse(until) - Date.parse(since)) / 1000
  return steps.find(step => seconds / step <= barsMax) ?? steps.at(-1)!
}

// A formatter costs more than everything else of a bar.
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const timeFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false })

/** @param step in seconds; ranges of several days include the day */
export function tickText(ms: number, rangeMs: number, step: number): string {
  if (step >= 86_400) return dayFormat.format(ms)
  const time = timeFormat.format(ms)
  return rangeMs > 86_400_000 ? `${dayFormat.format(ms)} ${time}` : time
}
