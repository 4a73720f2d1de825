import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { objectPath } from './object-name.ts'
import { type Sink, SinkError } from './sinks/sink.ts'
import { parseDestination } from './sinks/table.ts'
import type { DestinationCheck } from './types.ts'

/** A client of the API repeats a call after 60 s; the answer must come long before. */
const checkTimeoutMs = 10_000

/** Does the text name a destination whose owner has to prove it by the challenge file? */
export function destinationNeedsOwnership(destinationConf: string): boolean {
  const target = parseDestination(destinationConf)
  return target.ok && target.value.needsOwnership
}

/** Writes a small object to a destination and takes it away again. Answers within ten seconds. */
export async function checkDestination(destinationConf: string): Promise<DestinationCheck> {
  const body = gzipSync('{"content":"tests"}\n')
  const failure = await writeOnce(
    destinationConf,
    `sluice-test-${randomBytes(4).toString('hex')}.txt.gz`,
    body,
    'application/gzip',
    true,
  )
  return { valid: failure === undefined, message: failure ?? '' }
}

/**
 * Writes one object by itself.
 * @param discard take it away again, where that is allowed
 * @returns why it failed; undefined when it is there
 */
export async function writeOnce(
  destinationConf: string,
  name: string,
  body: Uint8Array,
  contentType: string,
  discard: boolean,
): Promise<string | undefined> {
  const target = parseDestination(destinationConf)
  if (!target.ok) return target.problem.message
  const path = objectPath(target.value.folder, name, Date.now())
  let sink: Sink | undefined
  try {
    sink = await target.value.open()
    await within(checkTimeoutMs, sink.put(path, body, contentType))
  } catch (error) {
    return `error validating destination: error writing object: ${error instanceof SinkError ? error.message : String(error)}`
  } finally {
    // Deleting is a courtesy: credentials that may only write are good ones.
    if (discard && sink !== undefined)
      void sink
        .remove(path)
        .catch(() => {})
        .finally(() => sink?.close())
    else sink?.close()
  }
  return undefined
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SinkError('timeout', 'later', `no answer within ${ms / 1000} seconds`)),
      ms,
    )
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
