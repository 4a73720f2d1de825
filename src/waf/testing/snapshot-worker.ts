import { parentPort, workerData } from 'node:worker_threads'
import { loadProgram } from '../snapshot/program-snapshot.ts'
import { isSnapshot } from '../snapshot/snapshot.ts'
import { send } from './requests.ts'

/** A worker that makes a program from a snapshot (`workerData`), and returns the matches for each target. */

export interface Answer {
  readonly isSnapshot: boolean
  readonly matched: readonly string[]
}

const snapshot: SharedArrayBuffer = workerData
const program = loadProgram(snapshot)!

parentPort!.on('message', (target: string) => {
  const answer: Answer = { isSnapshot: isSnapshot(snapshot), matched: send(program, { target }).matched }
  parentPort!.postMessage(answer)
})
