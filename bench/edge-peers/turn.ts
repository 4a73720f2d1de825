import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { LoadOrder, LoadResult } from '../support/edge-load.ts'
import { treeCpuMs, treeResidentMebibytes, untilIdle } from '../support/process-cpu.ts'
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

/** @throws Error if a response has another status than the load expects */
export async function takeTurn(
  name: string,
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
  generator.send(order)
  const [result] = (await once(generator, 'message')) as [LoadResult]
  clearInterval(sampling)
  await untilIdle(pid)
  const { answers, others } = result
  if (others > 0)
    throw new Error(
      `${name}, ${load.name}: ${others} of ${answers} responses had another status than ${status}`,
    )
  return { ...result, cpuMicros: ((treeCpuMs(pid) - before) * 1000) / answers, peakMebibytes }
}
