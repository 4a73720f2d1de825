import { createHash } from 'node:crypto'
import type { BatchBody } from '../batch/batch-builder.ts'
import type { FileForm } from '../batch/file-form.ts'
import { logpushLimits } from '../limits.ts'
import { type BatchFrame, type NameTakenError, type Sink, SinkError } from '../sinks/sink.ts'

/** The bytes of a delivered object. */
export interface StoredObject {
  readonly lines: number
  /** Before and after compression. */
  readonly bytes: number
  readonly bytesCompressed: number
  /** Of the compressed bytes, hex. */
  readonly sha256: string
}

export function objectOf({
  content,
  frame,
  bytes,
}: Pick<BatchBody, 'content' | 'frame' | 'bytes'>): StoredObject {
  return { lines: frame.sizes.length, bytes, bytesCompressed: content.length, sha256: sha256Of(content) }
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Examines an object that already has the name of a batch. An attempt whose answer was lost has written it if it
 * holds all lines of the batch, in their order. It may hold more lines, because records of that time may be gone by
 * now. If the credentials do not allow reading, the name suffices: it has 128 bits of the batch's identity.
 * @param opened lines of the batch when it was stored
 * @returns the stored object
 * @throws taken when it holds anything else
 * @throws SinkError
 */
export async function storedObject(
  sink: Sink,
  path: string,
  body: BatchBody,
  opened: number,
  taken: NameTakenError,
  signal: AbortSignal,
): Promise<StoredObject> {
  const bytesMax = Math.max(logpushLimits.comparedBytesMax, 2 * body.content.length)
  const content = await sink.read?.(path, bytesMax, signal)
  if (content === undefined || content.equals(body.content)) return objectOf(body)
  const [stored, wanted] = await Promise.all([
    textOf(content, body.form, signal),
    body.form.text(body.content, logpushLimits.objectTextBytesMax, signal),
  ])
  if (stored === undefined || !holds(stored, wanted, body.frame)) throw taken
  return {
    ...objectOf({ content, frame: body.frame, bytes: stored.length }),
    lines: opened || body.frame.sizes.length,
  }
}

/**
 * The object that an earlier attempt at a batch wrote before its answer was lost. For a batch whose records the log has
 * dropped since: nothing is left to compare the object with, and its name has 128 bits of the batch's identity.
 * @param linesMax of the batch when it was stored; some may have been dropped before an attempt
 * @param between text between two records
 * @returns undefined when there is none, or it cannot be read
 * @throws SinkError
 */
export async function earlierObject(
  sink: Sink,
  path: string,
  form: FileForm,
  linesMax: number,
  between: string,
  signal: AbortSignal,
): Promise<StoredObject | undefined> {
  const content = await sink.read?.(path, logpushLimits.comparedBytesMax, signal).catch(undefinedWhenAbsent)
  const text = content && (await textOf(content, form, signal))
  if (content === undefined || text === undefined) return undefined
  const lines = between === '' ? linesMax : Math.min(linesMax, occurrencesOf(between, text) + 1)
  return { lines, bytes: text.length, bytesCompressed: content.length, sha256: sha256Of(content) }
}

function occurrencesOf(part: string, text: Buffer): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) found++
  return found
}

function undefinedWhenAbsent(error: unknown): undefined {
  if (error instanceof SinkError && (error.status === 404 || error.code === 'ENOENT')) return undefined
  throw error
}

/** Undefined when it has another form. */
async function textOf(content: Buffer, form: FileForm, signal: AbortSignal): Promise<Buffer | undefined> {
  try {
    return await form.text(content, logpushLimits.objectTextBytesMax, signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** Whether the records of one text occur in another, in their order. */
function holds(stored: Buffer, wanted: Buffer, { prefix, delimiter, sizes }: BatchFrame): boolean {
  const gap = Buffer.byteLength(delimiter)
  let from = Buffer.byteLength(prefix)
  let at = 0
  for (const size of sizes) {
    const record = wanted.subarray(from, from + size)
    const found = stored.indexOf(record, at)
    if (found === -1) return false
    at = found + size
    from += size + gap
  }
  return true
}
