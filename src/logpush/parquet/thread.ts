import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { logpushLimits } from '../limits.ts'
import type { Column } from '../output/columns.ts'

/** Work of the thread. */
export type Task = {
  readonly columns: readonly Column[]
  /** Copied when the task's turn comes: tasks that wait take no more memory. */
  readonly bytes: Uint8Array
} & ({ readonly kind: 'write' } | { readonly kind: 'read'; readonly bytesMax: number })

export type TaskResult = { readonly bytes: Uint8Array } | { readonly failure: string }

/**
 * One thread makes and reads the files of all jobs of the process, one after the other. So requests and the API do
 * not wait, and memory holds the values of one row group. It begins with the first task, and ends when it was idle
 * for a while.
 */
class ParquetThread {
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  /** @throws when the task fails, or at the signal, also while the task waits */
  run(task: Task, signal: AbortSignal): Promise<Buffer> {
    const result = this.#last.then(() => this.#perform(task, signal))
    this.#last = result.catch(() => {})
    return untilAborted(result, signal)
  }

  async #perform(task: Task, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted()
    clearTimeout(this.#idle)
    this.#worker ??= this.#begin()
    const worker = this.#worker
    worker.ref()
    try {
      const result = await answerOf(worker, task, signal)
      if ('failure' in result) throw new Error(result.failure)
      return Buffer.from(result.bytes.buffer)
    } catch (error) {
      // It may be in the middle of anything.
      await this.#end()
      throw error
    } finally {
      worker.unref()
      this.#idle = setTimeout(() => void this.#end(), logpushLimits.parquetIdleMs).unref()
    }
  }

  #begin(): Worker {
    // Beside this file and of its kind: the published package is built.
    const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)
    const worker = new Worker(entry, {
      name: 'parquet',
      resourceLimits: { maxOldGenerationSizeMb: logpushLimits.parquetHeapMb },
    })
    // Its task reports the error; without one, the next task begins another thread.
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

export const parquetThread: Pick<ParquetThread, 'run'> = new ParquetThread()

/** @throws the signal's reason as soon as it aborts */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function answerOf(worker: Worker, task: Task, signal: AbortSignal): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const settled = (settle: () => void) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onMessage = (result: TaskResult) => settled(() => resolve(result))
    const onError = (error: Error) => settled(() => reject(error))
    const onExit = () => settled(() => reject(new Error('the thread has ended')))
    const onAbort = () => settled(() => reject(signal.reason))
    const onTime = () => settled(() => reject(new Error('the thread does not answer')))
    const timer = setTimeout(onTime, logpushLimits.parquetMs)
    signal.addEventListener('abort', onAbort)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(task)
  })
}
