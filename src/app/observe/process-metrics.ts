import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { Counter, Gauge } from 'prom-client'

/** Linux has an entry here for each open file. */
const openFiles = '/proc/self/fd'

/** Exports what the whole process uses. Names by Prometheus' client libraries. */
export function exposeProcess(): void {
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, of all threads',
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process that is in RAM',
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start of the process since the Unix epoch',
  }).set(Math.round(performance.timeOrigin) / 1000)
  if (existsSync(openFiles))
    new Gauge({
      name: 'process_open_fds',
      help: 'Open files and sockets of the process; absent where the system has no /proc',
      async collect() {
        this.set((await readdir(openFiles)).length)
      },
    })
}

/** Exports the event loop and the heap of this thread. @param thread unique in the process */
export function exposeThread(thread: string): void {
  new Counter({
    name: 'sluice_event_loop_busy_seconds_total',
    help: 'Time in which the event loop of a thread had work',
    labelNames: ['thread'],
    collect() {
      this.reset()
      this.inc({ thread }, performance.eventLoopUtilization().active / 1000)
    },
  })
  new Gauge({
    name: 'sluice_event_loop_delay_seconds',
    help: 'Time until the event loop of a thread took up new work, at the scrape',
    labelNames: ['thread'],
    async collect() {
      const beganMs = performance.now()
      await setImmediate()
      this.set({ thread }, (performance.now() - beganMs) / 1000)
    },
  })
  new Gauge({
    name: 'sluice_heap_used_bytes',
    help: 'Memory of JavaScript objects of a thread',
    labelNames: ['thread'],
    collect() {
      this.set({ thread }, getHeapStatistics().used_heap_size)
    },
  })
}
