import { readdirSync, readFileSync } from 'node:fs'

/** Processor time of a whole process so far, if the system reports it (Linux: in hundredths of a second). */
export function cpuMs(pid: number): number {
  try {
    return statMs(`/proc/${pid}/stat`)
  } catch {
    return Number.NaN
  }
}

/** The same of each of its threads, by name and number. */
export function threadsCpuMs(pid: number): ReadonlyMap<string, number> {
  const threads = new Map<string, number>()
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const name = readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim()
    threads.set(`${name} ${id}`, statMs(`/proc/${pid}/task/${id}/stat`))
  }
  return threads
}

function statMs(path: string): number {
  const stat = readFileSync(path, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
