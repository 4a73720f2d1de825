import { parentPort, workerData } from 'node:worker_threads'
import { send } from '../test-support.ts'
import { isImage } from './image.ts'
import { loadProgram } from './program-image.ts'

/** A worker that makes a program from an image (`workerData`), and says of each target what matches. */

export interface Answer {
  readonly isImage: boolean
  readonly matched: readonly string[]
}

const image: SharedArrayBuffer = workerData
const program = loadProgram(image)!

parentPort!.on('message', (target: string) => {
  const answer: Answer = { isImage: isImage(image), matched: send(program, { target }).matched }
  parentPort!.postMessage(answer)
})
