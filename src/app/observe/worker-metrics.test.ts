import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { WorkerMetrics } from './worker-metrics.ts'

/** A worker with a counter, a gauge and a histogram. */
function aWorker(requests: number) {
  const registers = [new Registry()]
  const help = 'help'
  const counter = new Counter({ name: 'requests_total', help, registers })
  new Gauge({ name: 'active', help, registers }).set(requests)
  const histogram = new Histogram({ name: 'seconds', help, buckets: [1], registers })
  const count = (more: number) => {
    counter.inc(more)
    for (let at = 0; at < more; at++) histogram.observe(0.5)
  }
  count(requests)
  // A message between threads is a copy, too.
  const metrics = async () => structuredClone(await registers[0]!.getMetricsAsJSON()) as readonly object[]
  return { count, metrics }
}

test('the sums of workers never fall when workers end, and their gauges go', async () => {
  const all = new WorkerMetrics()
  const [first, second, third] = [aWorker(1), aWorker(10), aWorker(100)]
  const scrape = async (workers: readonly (typeof first)[]) => {
    const text = await AggregatorRegistry.aggregate([...(await all.read(workers))]).metrics()
    return ['requests_total', 'seconds_count', 'active'].map(name =>
      Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]),
    )
  }
  assert.deepEqual(await scrape([first, second, third]), [111, 111, 111])
  first.count(1)
  all.end(first)
  assert.deepEqual(await scrape([second, third]), [111, 111, 110])
  all.end(second)
  const fourth = aWorker(0)
  assert.deepEqual(await scrape([third, fourth]), [111, 111, 100])
  fourth.count(1000)
  all.end(third)
  assert.deepEqual(await scrape([fourth]), [1111, 1111, 0])
})
