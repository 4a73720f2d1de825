import { SinkError } from './sink.ts'

/**
 * Waits for work without a signal, until the signal.
 * @throws SinkError `timeout` at the signal; the work continues, and its result is ignored
 */
export async function untilAborted<T>(signal: AbortSignal, words: string, work: Promise<T>): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new SinkError('timeout', 'later', words))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
