import { availableParallelism, cpus, loadavg } from 'node:os'

/** The machine of the figures, in one line; the load shows whether other processes were active. */
export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const load = loadavg()[0]!.toFixed(2)
  return `machine   ${model}, ${availableParallelism()} cores, node ${process.versions.node}, load ${load}`
}

/** Resident memory of this process in MB. */
export function residentMegabytes(): number {
  return process.memoryUsage().rss / 1e6
}
