import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Outcome } from '../../kit/diagnostic.ts'
import type { CrsFile } from '../../model/resource.ts'

export interface SnapshotInput {
  readonly files: readonly CrsFile[]
  readonly setup: string | undefined
}

/**
 * `compileReleaseSnapshot` in a separate thread, so that requests do not wait for some tenths of a second. The end of
 * the thread frees its memory, some 100 MB.
 */
export function compileInThread(input: SnapshotInput): Promise<Outcome<SharedArrayBuffer>> {
  // Beside this file and of its kind: the published package is built.
  const entry = new URL(`./snapshot-worker${extname(import.meta.url)}`, import.meta.url)
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, { workerData: input, name: 'compile' })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the thread that compiles has ended')))
  })
}
