import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Processor time of a whole process so far, if the system reports it (Linux: in hundredths of a second). */
export function cpuMs(pid: number): number {
  try {
    return statMs(`/proc/${pid}/stat`)
  } catch {
    return Number.NaN
  }
}

/** The same of a process and all that it started. */
export function treeCpuMs(pid: number): number {
  return treeOf(pid).reduce((sum, id) => sum + cpuMs(id), 0)
}

/** Resident memory of a process and all that it started, in MiB. */
export function treeResidentMebibytes(pid: number): number {
  return treeOf(pid).reduce((sum, id) => sum + residentMebibytes(id), 0)
}

/** 0 once the process has ended. */
function residentMebibytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

/** None once the process has ended. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')
        .trim()
        .split(' ')
        .filter(Boolean)
        .map(Number),
    )
  } catch {
    return []
  }
}

/** Waits until a process has done the work that its requests left behind. */
export async function untilIdle(pid: number): Promise<void> {
  let quiet = 0
  for (let before = treeCpuMs(pid); quiet < 2; ) {
    await sleep(idleFrom.everyMs)
    const now = treeCpuMs(pid)
    quiet = now - before <= idleFrom.cpuMs ? quiet + 1 : 0
    before = now
  }
}

/** A process that uses no more of such a time is idle. */
const idleFrom = { everyMs: 250, cpuMs: 30 }

/** Processor time of each thread of a process, by name and number. */
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
