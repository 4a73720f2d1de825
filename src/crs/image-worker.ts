import { parentPort, workerData } from 'node:worker_threads'
import { compileReleaseImage } from './assemble.ts'
import type { ImageInput } from './image-thread.ts'

/** Entry of a thread that compiles one release and ends. */
const { files, setup } = workerData as ImageInput
parentPort!.postMessage(compileReleaseImage(files, setup))
