import { randomBytes } from 'node:crypto'
import { objectPath } from '../output/object-name.ts'
import type { DestinationCheck, DestinationPolicy } from '../types.ts'
import { destinationLimits } from './limits.ts'
import { noteBatch } from './note.ts'
import { type Sink, type SinkBatch, SinkError, type Target } from './sink.ts'
import { parseDestination } from './table.ts'

/** How much longer than the check a destination's own time limits may take, before the check ends without them. */
const graceMs = 500

/** Whether the owner of the destination has to prove it by the challenge file. */
export function destinationNeedsOwnership(destinationConf: string): boolean {
  const target = parseDestination(destinationConf)
  return target.ok && target.value.needsOwnership
}

/**
 * A `destination_conf` with `***` in place of every secret, for users who must not see it whole. Of an invalid text,
 * at most the scheme remains.
 */
export function maskedDestination(destinationConf: string): string {
  const target = parseDestination(destinationConf)
  if (target.ok) return target.value.masked
  const scheme = /^[a-z][a-z0-9]{0,15}:(?=\/\/)/.exec(destinationConf)?.[0]
  return scheme === undefined ? '***' : `${scheme}//***`
}

/**
 * Delivers a test batch to a destination and removes it again where that is possible. Answers within ten seconds in
 * every case.
 */
export async function checkDestination(
  destinationConf: string,
  policy: DestinationPolicy,
): Promise<DestinationCheck> {
  const target = parseDestination(destinationConf)
  if (!target.ok) return { valid: false, message: target.problem.message }
  const batch = testBatch(target.value)
  const failure = await attempt(target.value, policy, (sink, signal) => sink.probe(batch, signal))
  return { valid: failure === undefined, message: failure ?? '' }
}

/**
 * Writes a text to a destination, for its owner to read.
 * @returns the reason of a failure; undefined when it was written
 */
export function leaveText(
  target: Target,
  path: string,
  text: string,
  policy: DestinationPolicy,
): Promise<string | undefined> {
  return attempt(target, policy, (sink, signal) => sink.leave(path, text, signal))
}

async function attempt(
  target: Target,
  policy: DestinationPolicy,
  work: (sink: Sink, signal: AbortSignal) => Promise<void>,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(destinationLimits.checkMs)
  let sink: Sink | undefined
  const opened = target.open(policy).then(async ready => {
    sink = ready
    await work(ready, signal)
  })
  try {
    await within(destinationLimits.checkMs + graceMs, opened)
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

/** Cloudflare's test record for a destination. */
function testBatch({ folder }: Target): SinkBatch {
  const text = Buffer.from('{"content":"tests"}\n')
  const name = `sluice-test-${randomBytes(4).toString('hex')}`
  return noteBatch(objectPath(folder, `${name}.txt.gz`, Date.now()), name, text)
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
