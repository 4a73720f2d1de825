import { parentPort, workerData } from 'node:worker_threads'
import { crsProgram } from './crs.test-support.ts'
import { type Outcome, outcomeOf } from './differential.test-support.ts'
import { program, type TestRequest } from './test-support.ts'

/** A worker that compiles a program of its own (`workerData`: its rules, or those of the CRS) and answers one by one. */

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
