import { Histogram, type MetricObjectWithValues, type MetricValueWithName } from 'prom-client'
import type { Histogram as Counted } from '../../edge/index.ts'

/**
 * Exports a histogram that is counted elsewhere, read at each scrape. prom-client's own costs a hash of labels for each
 * value.
 */
export class ReadHistogram extends Histogram {
  readonly #name: string
  readonly #read: () => Counted

  constructor(name: string, help: string, read: () => Counted) {
    super({ name, help, buckets: [...read().bounds] })
    this.#name = name
    this.#read = read
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
    const { bounds, counts, sum } = this.#read()
    let total = 0
    const buckets = Array.from(counts, (count, at) => {
      total += count
      return { metricName: `${this.#name}_bucket`, labels: { le: bounds[at] ?? '+Inf' }, value: total }
    })
    return {
      ...(await super.get()),
      values: [
        ...buckets,
        { metricName: `${this.#name}_sum`, labels: {}, value: sum },
        { metricName: `${this.#name}_count`, labels: {}, value: total },
      ],
    }
  }
}
