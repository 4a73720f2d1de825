import { figure, formatTable } from './table.ts'

/** The cost of one record. */
export interface Rate {
  /** Records per second, by the clock. */
  readonly perSecond: number
  /** Processor time of all threads, microseconds. */
  readonly cpuUs: number
  /** The main thread's part of it. */
  readonly mainUs: number
}

const runs = 8
const runMs = 150

/**
 * Repeats `work`; the best of several runs counts, which has the least disturbance.
 * @param work processes some records @returns their number
 */
export async function rateOf(work: () => number | Promise<number>): Promise<Rate> {
  const rates: Rate[] = []
  for (let run = 0; run < runs; run++) rates.push(await once(work, runMs))
  return bestOf(rates)
}

export async function once(work: () => number | Promise<number>, forMs = 0): Promise<Rate> {
  const cpu = process.cpuUsage()
  const main = process.threadCpuUsage()
  const start = performance.now()
  let records = 0
  let now = start
  do {
    records += await work()
    now = performance.now()
  } while (now - start < forMs)
  return {
    perSecond: (records * 1000) / (now - start),
    cpuUs: sum(process.cpuUsage(cpu)) / records,
    mainUs: sum(process.threadCpuUsage(main)) / records,
  }
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}

export function bestOf(rates: readonly Rate[]): Rate {
  return {
    perSecond: Math.max(...rates.map(rate => rate.perSecond)),
    cpuUs: Math.min(...rates.map(rate => rate.cpuUs)),
    mainUs: Math.min(...rates.map(rate => rate.mainUs)),
  }
}

/** @param extra further cells of each row, with their heads */
export function rateTable(
  title: string,
  rows: readonly (readonly [name: string, rate: Rate, ...extra: string[]])[],
  extra: readonly string[] = [],
): string {
  const cells = rows.map(([name, { perSecond, cpuUs, mainUs }, ...more]) => [
    name,
    Math.round(perSecond).toLocaleString('en'),
    figure(cpuUs),
    figure(mainUs),
    ...more,
  ])
  return `\n${formatTable([title, 'records/s', 'CPU µs', 'main µs', ...extra], cells)}`
}
