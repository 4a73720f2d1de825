/**
 * The time of a seed: all of its processes are the same span ahead, so that an hour ends while the faults strike.
 * Where it matters, the pipeline asks `Date.now` for the time.
 */
const systemNow = Date.now

/** @param aheadMs of the system's clock */
export function setClock(aheadMs: number): void {
  Date.now = () => systemNow() + aheadMs
}

export const hourMs = 3_600_000

/** How far ahead a clock is that comes to the end of an hour in so many ms. */
export function aheadToHourEnd(inMs: number): number {
  return hourMs - (systemNow() % hourMs) - inMs
}
