import { parentPort, workerData } from 'node:worker_threads'
import { compileReleaseSnapshot } from '../assemble.ts'
import type { SnapshotInput } from './snapshot-thread.ts'

/** Entry of a thread that compiles one release and ends. */
const { files, setup } = workerData as SnapshotInput
parentPort!.postMessage(compileReleaseSnapshot(files, setup))
