import { parentPort, workerData } from 'node:worker_threads'
import { crsProgram } from './crs.ts'
import { type Outcome, outcomeOf } from './outcomes.ts'
import { program, type TestRequest } from './requests.ts'

/** A worker that compiles a program (`workerData`: its rules, or the CRS) and answers one request after another. */

export interface Job {
  readonly number: number
  readonly request: TestRequest
}

export interface Answer {
  readonly number: number
  readonly outcome: Outcome
}

const rules: string | undefined = workerData
const made = rules === undefined ? crsProgram('4.28.0') : program(rules)

parentPort!.on('message', ({ number, request }: Job) => {
  const answer: Answer = { number, outcome: outcomeOf(made, request) }
  parentPort!.postMessage(answer)
})
