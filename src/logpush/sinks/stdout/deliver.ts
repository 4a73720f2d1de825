import type { Writable } from 'node:stream'
import { type Sink, SinkError } from '../sink.ts'

/** Lines on a stream. A replay writes them again. The test upload writes nothing. */
export function openStdout(output: Writable): Sink {
  const write = (text: Uint8Array | string) =>
    new Promise<void>((resolve, reject) =>
      output.write(text, error => (error ? reject(failure(error)) : resolve())),
    )
  return {
    put: async batch => write(await batch.text()),
    async probe() {
      if (output.destroyed || !output.writable) throw failure(new Error('it is closed'))
    },
    leave: (_path, text) => write(`${text}\n`),
    close() {},
  }
}

function failure(cause: Error): SinkError {
  return new SinkError('output', 'later', `standard output cannot be written: ${cause.message}`, { cause })
}
