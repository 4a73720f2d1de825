import { AggregatorRegistry } from 'prom-client'

/** A worker thread whose metrics can be read, in prom-client's form. */
interface Measured {
  metrics(): Promise<readonly object[]>
}

/**
 * The metrics of all workers. A counter must not fall, so the counters and histograms of a worker that has ended stay, as
 * the last scrape has seen them. Its gauges go with it.
 */
export class WorkerMetrics {
  readonly #last = new Map<Measured, readonly object[]>()
  #ended: readonly (readonly object[])[] = []

  /** @throws if a worker does not answer in time */
  async read(workers: Iterable<Measured>): Promise<readonly (readonly object[])[]> {
    const answers = Promise.all(
      [...workers].map(async worker => {
        const metrics = await worker.metrics()
        this.#last.set(worker, metrics.filter(isSum))
        return metrics
      }),
    )
    const ended = this.#ended
    if (ended.length > 1) {
      const sums = await AggregatorRegistry.aggregate([...ended]).getMetricsAsJSON()
      // Further workers may have ended meanwhile.
      this.#ended = [sums, ...this.#ended.slice(ended.length)]
    }
    return [...(await answers), ...this.#ended]
  }

  /** A worker has ended, and another may take its place. */
  end(worker: Measured): void {
    const last = this.#last.get(worker)
    this.#last.delete(worker)
    if (last !== undefined) this.#ended = [...this.#ended, last]
  }
}

function isSum(metric: object): boolean {
  return 'type' in metric && (metric.type === 'counter' || metric.type === 'histogram')
}
