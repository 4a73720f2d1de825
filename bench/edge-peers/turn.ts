import type { ChildProcess } from 'node:child_process'
import type { LoadOrder, LoadResult } from '../support/edge-load.ts'
import { treeCpuMs, treeResidentMebibytes, untilIdle } from '../support/process-cpu.ts'
import { sendLoad } from '../support/send-load.ts'
import type { Running } from './contender.ts'
import type { Load } from './loads.ts'

/** The figures of one contender for one load and one time. */
export interface Turn extends LoadResult {
  /** Microseconds a request, of the process and all that it started, including work after the response. */
  readonly cpuMicros: number
  /** The most that was resident, in MiB. */
  readonly peakMebibytes: number
}

export interface TurnOrder {
  readonly load: Load
  readonly varied: boolean
  readonly measuredMs: number
}

const connections = 32
const sampledEveryMs = 250

/** Statuses by which a contender says what it takes a request for: ordinary, or an attack. */
const verdicts = new Set(['200', '403'])

/**
 * Wrong verdicts count as responses: rules may take an ordinary request for an attack, or miss an attack. The tables
 * name them (`wrongVerdicts`).
 * @throws Error if the contender fails: a connection breaks, or a response has a status that is no verdict
 */
export async function takeTurn(
  { port, pid }: Pick<Running, 'port' | 'pid'>,
  generator: ChildProcess,
  { load, varied, measuredMs }: TurnOrder,
): Promise<Turn> {
  const { requests, names, status } = load
  const order: LoadOrder = { port, requests, names, status, varied, connections, warmUpMs: 0, measuredMs }
  const before = treeCpuMs(pid)
  let peakMebibytes = 0
  const sampling = setInterval(() => {
    peakMebibytes = Math.max(peakMebibytes, treeResidentMebibytes(pid))
  }, sampledEveryMs)
  const result = await sendLoad(generator, order).finally(() => clearInterval(sampling))
  const { answers, otherStatuses } = result
  const failures = Object.keys(otherStatuses).filter(other => !verdicts.has(other))
  if (failures.length > 0) throw new Error(`of ${answers} responses, ${statusText(otherStatuses)}`)
  await untilIdle(pid)
  return { ...result, cpuMicros: ((treeCpuMs(pid) - before) * 1000) / answers, peakMebibytes }
}

/** Requests of these turns that got the other verdict, for example `12 had 403`; undefined if there are none. */
export function wrongVerdicts(turns: readonly Turn[]): string | undefined {
  const counts: Record<string, number> = {}
  for (const { otherStatuses } of turns)
    for (const [status, count] of Object.entries(otherStatuses))
      counts[status] = (counts[status] ?? 0) + count
  const answers = turns.reduce((sum, turn) => sum + turn.answers, 0)
  return Object.keys(counts).length === 0 ? undefined : `of ${answers} responses, ${statusText(counts)}`
}

function statusText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} had ${status}`)
    .join(', ')
}
