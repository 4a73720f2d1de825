import { parentPort } from 'node:worker_threads'
import { lowerThreadPriority } from '../../kit/threads/thread-priority.ts'
import { readParquet } from './read.ts'
import type { Task, TaskResult } from './thread.ts'
import { writeParquet } from './write.ts'

lowerThreadPriority()

async function resultOf(task: Task): Promise<Uint8Array> {
  if (task.kind === 'write') return writeParquet(task.bytes, task.columns)
  // Buffers share memory with others; a copy can be handed over.
  return new Uint8Array(await readParquet(task.bytes, task.columns, task.bytesMax))
}

parentPort!.on('message', async (task: Task) => {
  const result: TaskResult = await resultOf(task).then(
    bytes => ({ bytes }),
    (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
  )
  parentPort!.postMessage(result, 'bytes' in result ? [result.bytes.buffer as ArrayBuffer] : [])
})
