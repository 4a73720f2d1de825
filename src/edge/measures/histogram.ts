/** Counts values in ranges, as a Prometheus histogram reads them. Adding a value allocates nothing. */
export class Histogram {
  /** Upper ends of the ranges (inclusive), ascending. */
  readonly bounds: readonly number[]
  /** Values in each range; the last range has no end. */
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  add(value: number): void {
    const { bounds, counts } = this
    let range = 0
    while (range < bounds.length && value > bounds[range]!) range++
    counts[range]!++
    this.sum += value
  }
}
