import { parentPort, workerData } from 'node:worker_threads'
import type { AnswerThreadData, FromAnswerThread, ToAnswerThread } from './analytics.ts'
import { openAnswers } from './answers.ts'
import { lowerThreadPriority } from './thread-priority.ts'

/** Entry of the query thread, which answers one query after the other. */
lowerThreadPriority()
const { path } = workerData as AnswerThreadData
const answers = openAnswers(path)

parentPort!.on('message', ({ id, name, values }: ToAnswerThread) => {
  parentPort!.postMessage(answered(id, () => (answers[name] as (...all: unknown[]) => unknown)(...values)))
})

function answered(id: number, ask: () => unknown): FromAnswerThread {
  try {
    return { id, answer: ask() }
  } catch (error) {
    return { id, error }
  }
}
