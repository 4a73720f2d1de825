import type { Writable } from 'node:stream'
import { type Sink, SinkError } from '../sink.ts'
import { untilAborted } from '../until-aborted.ts'

/** Lines on a stream. A second attempt writes them again. The test batch writes nothing. */
export function openStdout(output: Writable): Sink {
  const write = async (text: Uint8Array | string, signal: AbortSignal) => {
    // Buffered lines are written eventually; more would only pile up.
    if (output.writableNeedDrain) throw failure(new Error('it has no reader'))
    const written = new Promise<void>((resolve, reject) =>
      output.write(text, error => (error ? reject(failure(error)) : resolve())),
    )
    await untilAborted(signal, 'standard output cannot be written: it has no reader', written)
  }
  return {
    reusable: false,
    async put(batch, signal) {
      await write(await batch.text(), signal)
      return undefined
    },
    async probe() {
      if (output.destroyed || !output.writable) throw failure(new Error('it is closed'))
    },
    leave: (_path, text, signal) => write(`${text}\n`, signal),
    close() {},
  }
}

function failure(cause: Error): SinkError {
  return new SinkError('output', 'later', `standard output cannot be written: ${cause.message}`, { cause })
}
