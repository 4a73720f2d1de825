/** The most bars that stay distinguishable. */
const barsMax = 100

/** Bar lengths in seconds that suit an axis. */
const steps = [60, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400]

/** @returns the length of a bar in seconds, whole minutes */
export function stepFor(since: string, until: string): number {
  const seconds = (Date.parse(until) - Date.parse(since)) / 1000
  return steps.find(step => seconds / step <= barsMax) ?? steps.at(-1)!
}

/** @param step in seconds; ranges of several days include the day */
export function tickText(ms: number, rangeMs: number, step: number): string {
  const moment = new Date(ms)
  const day = moment.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
  if (step >= 86_400) return day
  const time = moment.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hour12: false })
  return rangeMs > 86_400_000 ? `${day} ${time}` : time
}
