import { parentPort, workerData } from 'node:worker_threads'
import { loadProgram } from '../snapshot/program-snapshot.ts'
import { type Outcome, outcomeOf } from './outcomes.ts'
import { program, type TestRequest } from './requests.ts'

/** A worker that makes a program (`workerData`: its rules, or a snapshot) and answers one request after another. */

export interface Job {
  readonly number: number
  readonly request: TestRequest
}

export interface Answer {
  readonly number: number
  readonly outcome: Outcome
}

const rules: string | SharedArrayBuffer = workerData
const made = typeof rules === 'string' ? program(rules) : loadProgram(rules)!

parentPort!.on('message', ({ number, request }: Job) => {
  const answer: Answer = { number, outcome: outcomeOf(made, request) }
  parentPort!.postMessage(answer)
})
