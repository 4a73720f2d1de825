import { setTimeout as sleep } from 'node:timers/promises'
import { treeResidentMebibytes, untilIdle } from '../support/process-cpu.ts'
import type { Contender, Running, StartOrder } from './contender.ts'

/** A contender that has been started. */
export interface Entrant {
  readonly contender: Contender
  readonly running: Running
  readonly readyMs: number
  readonly idleMebibytes: number
  /** It takes no more turns, and has no rows in the tables. */
  hasFailed: boolean
}

const settleMs = 1000

/** @returns undefined for a contender that is missing; its name and the reason are printed */
export async function enter(contender: Contender, order: StartOrder): Promise<Entrant | undefined> {
  const beganMs = performance.now()
  try {
    const running = await contender.start(order)
    const readyMs = performance.now() - beganMs
    return { contender, running, readyMs, idleMebibytes: await idleMebibytes(running.pid), hasFailed: false }
  } catch (error) {
    console.log(`skipped   ${contender.name}: ${(error as Error).message}`)
    return undefined
  }
}

/** Resident memory in MiB once the work of the start is done. */
export async function idleMebibytes(pid: number): Promise<number> {
  await sleep(settleMs)
  await untilIdle(pid)
  return treeResidentMebibytes(pid)
}
