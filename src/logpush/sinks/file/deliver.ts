import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../../kit/folders.ts'
import { type Sink, SinkError } from '../sink.ts'
import { untilAborted } from '../until-aborted.ts'

/**
 * Objects as files. A file appears under its name only when it is whole; a second attempt leaves it as it is.
 * A file system that hangs (a network share that is away) is left behind at the signal.
 */
export function openFiles(): Sink {
  const bounded = <T>(path: string, signal: AbortSignal, work: () => Promise<T>) =>
    untilAborted(
      signal,
      `${path} cannot be written: the file system does not answer`,
      asSinkError(path, () => alone(path, work)),
    )
  return {
    async put(batch, signal) {
      await bounded(batch.path, signal, () => writeOnce(batch.path, batch.gzip))
      return undefined
    },
    async probe(batch, signal) {
      await bounded(batch.path, signal, () => write(batch.path, batch.gzip))
      await bounded(batch.path, signal, () => rm(batch.path, { force: true }))
    },
    leave: (path, text, signal) => bounded(path, signal, () => write(path, Buffer.from(text))),
    close() {},
  }
}

/** What was left behind at a signal may still be at it. */
const underWay = new Set<string>()

/** Two attempts at one file would write into each other's. */
async function alone<T>(path: string, work: () => Promise<T>): Promise<T> {
  if (underWay.has(path))
    throw new SinkError(
      'busy',
      'later',
      `${path} cannot be written: the file system has not answered the attempt before`,
    )
  underWay.add(path)
  try {
    return await work()
  } finally {
    underWay.delete(path)
  }
}

/** The name follows from the range. What has it is whole, and may hold records that are not kept any more. */
async function writeOnce(path: string, body: Uint8Array): Promise<void> {
  const known = await stat(path).catch(() => undefined)
  if (known?.isFile()) await rm(partialOf(path), { force: true })
  else await write(path, body)
}

function partialOf(path: string): string {
  return `${path}.partial`
}

async function write(path: string, body: Uint8Array): Promise<void> {
  const partial = partialOf(path)
  await makeFolder(dirname(path))
  // What an attempt left that died, or somebody else put there: to open a pipe would wait for its reader.
  await rm(partial, { force: true })
  const file = await open(partial, 'wx')
  try {
    await file.writeFile(body)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
  // Without this the name may be gone after the power fails.
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function asSinkError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SinkError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const { words, retry = 'never' } = reasons[code] ?? { retry: 'later' as const }
    throw new SinkError(
      code,
      retry,
      `${path} cannot be written: ${code}${words === undefined ? '' : `, ${words}`}`,
      { cause: error },
    )
  }
}

/** Errors in plain words. Only a person can mend them, unless `retry` says that they may pass. */
const reasons: Readonly<Record<string, { readonly words?: string; readonly retry?: 'later' }>> = {
  EACCES: { words: 'the user of this process may not write there' },
  EPERM: { words: 'the user of this process may not write there' },
  ENOTDIR: { words: 'a part of the path is a file, not a folder' },
  EROFS: { words: 'the file system is read-only' },
  EISDIR: { words: 'there is a folder of that name' },
  ENAMETOOLONG: { words: 'a name in the path is too long' },
  ENOENT: { words: 'no folder can be made there', retry: 'later' },
  ENOSPC: { words: 'the disk is full', retry: 'later' },
  EDQUOT: { words: 'the quota of the disk is used up', retry: 'later' },
}
