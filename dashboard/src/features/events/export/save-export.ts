import { describeCall } from '../../../api/client.ts'
import { ApiFailure } from '../../../api/failure.ts'
import { credentialsOf, currentSession } from '../../../api/session.ts'
import type { ErrorEntry, Operations } from '../../../api/types.ts'

const operation = 'GET /zones/{zone_id}/security/events/export'

export type ExportQuery = NonNullable<Operations[typeof operation]['query']>
export type ExportFormat = NonNullable<ExportQuery['format']>

export interface Progress {
  readonly bytes: number
  /** Lines so far; for CSV including the header. */
  readonly lines: number
}

/** Bytes to buffer before a part is handed to the browser, which can keep it on disk. */
const partBytes = 4 * 1024 * 1024

export function exportCall(zoneId: string, query: ExportQuery) {
  return describeCall(operation, { path: { zone_id: zoneId }, query })
}

/**
 * Reads an export to its end, with a few megabytes in memory at a time.
 * @returns the complete export: a stream that ends early is a failure
 * @throws ApiFailure, and the reason of the signal
 */
export async function readExport(
  zoneId: string,
  query: ExportQuery,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Blob> {
  const { path } = exportCall(zoneId, query)
  const response = await fetch(`/client/v4${path}`, {
    ...credentialsOf(currentSession()?.token),
    signal,
  }).catch(error => {
    signal.throwIfAborted()
    throw new ApiFailure(0, [{ message: `cannot reach the API (${String(error)})` }])
  })
  if (!response.ok || response.body === null) throw await refusalOf(response)
  try {
    return await gather(response.body, onProgress)
  } catch (error) {
    signal.throwIfAborted()
    const message = `the connection ended early; nothing was saved (${String(error)})`
    throw new ApiFailure(0, [{ message }])
  }
}

async function gather(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (progress: Progress) => void,
): Promise<Blob> {
  const parts: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let waiting = 0
  let bytes = 0
  let lines = 0
  const reader = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    waiting += next.value.length
    bytes += next.value.length
    lines += linesIn(next.value)
    if (waiting >= partBytes) {
      parts.push(new Blob(chunks))
      chunks = []
      waiting = 0
    }
    onProgress({ bytes, lines })
  }
  return new Blob([...parts, ...chunks])
}

const newline = 0x0a

function linesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++
  return count
}

async function refusalOf(response: Response): Promise<ApiFailure> {
  const entries = await response
    .json()
    .then(({ errors }: { readonly errors: readonly ErrorEntry[] }) => errors)
    .catch(() => [{ message: `the API answered with status ${response.status}` }])
  return new ApiFailure(response.status, entries)
}

/** Saves it as a download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Browsers start reading the URL a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
