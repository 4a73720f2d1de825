import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { DestinationReach } from '../model/settings.ts'
import { objectPath } from './object-name.ts'
import { type Sink, type SinkBatch, SinkError, type Target } from './sinks/sink.ts'
import { parseDestination } from './sinks/table.ts'
import type { DestinationCheck } from './types.ts'

/** A client of the API repeats a call after 60 s; the answer must come long before. */
const checkTimeoutMs = 9_000
/** What a destination's own limits of time may take longer than the check's, before the check leaves without them. */
const graceMs = 500

/** Does the text name a destination whose owner has to prove it by the challenge file? */
export function destinationNeedsOwnership(destinationConf: string): boolean {
  const target = parseDestination(destinationConf)
  return target.ok && target.value.needsOwnership
}

/**
 * A `destination_conf` with `***` in place of everything secret, for all who may not see it whole. Of a text that is no
 * destination its scheme is left at most.
 */
export function maskedDestination(destinationConf: string): string {
  const target = parseDestination(destinationConf)
  if (target.ok) return target.value.masked
  const scheme = /^[a-z][a-z0-9]{0,15}:(?=\/\/)/.exec(destinationConf)?.[0]
  return scheme === undefined ? '***' : `${scheme}//***`
}

/**
 * Delivers a test batch to a destination and takes it away again where that is possible. Answers within ten seconds,
 * whatever the destination does.
 */
export async function checkDestination(
  destinationConf: string,
  reach: DestinationReach,
): Promise<DestinationCheck> {
  const target = parseDestination(destinationConf)
  if (!target.ok) return { valid: false, message: target.problem.message }
  const batch = testBatch(target.value)
  const failure = await attempt(target.value, reach, (sink, signal) => sink.probe(batch, signal))
  return { valid: failure === undefined, message: failure ?? '' }
}

/**
 * Leaves a text at a destination, for its owner to read.
 * @returns why it failed; undefined when it is there
 */
export function leaveText(
  target: Target,
  path: string,
  text: string,
  reach: DestinationReach,
): Promise<string | undefined> {
  return attempt(target, reach, (sink, signal) => sink.leave(path, text, signal))
}

async function attempt(
  target: Target,
  reach: DestinationReach,
  work: (sink: Sink, signal: AbortSignal) => Promise<void>,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(checkTimeoutMs)
  let sink: Sink | undefined
  const opened = target.open(reach).then(async ready => {
    sink = ready
    await work(ready, signal)
  })
  try {
    await within(checkTimeoutMs + graceMs, opened)
    return undefined
  } catch (error) {
    return `error validating destination: error writing object: ${inWords(error)}`
  } finally {
    sink?.close()
  }
}

function inWords(error: unknown): string {
  if (error instanceof SinkError) return `${error.message} (failed step: ${error.step})`
  return error instanceof Error ? error.message : String(error)
}

/** What Cloudflare sends to try a destination. */
function testBatch({ folder }: Target): SinkBatch {
  const text = Buffer.from('{"content":"tests"}\n')
  const name = `sluice-test-${randomBytes(4).toString('hex')}`
  return {
    path: objectPath(folder, `${name}.txt.gz`, Date.now()),
    id: name,
    startMs: Date.now(),
    records: 1,
    gzip: gzipSync(text),
    frame: { prefix: '', delimiter: '', suffix: '', sizes: [text.length] },
    text: async () => text,
    sent: new Set(),
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new SinkError('timeout', 'later', 'the destination does not answer'))
    timer = setTimeout(late, ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
