import { lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../../kit/folders.ts'
import { NameTakenError, type Sink, SinkError } from '../sink.ts'
import { untilAborted } from '../until-aborted.ts'
import { resolvedPath, shownPath } from './resolved-path.ts'

/**
 * Objects as files, all in one directory. A file appears under its name only when it is complete; a second attempt
 * leaves it as it is. A hanging file system (an unreachable network share) is abandoned at the signal.
 */
export function openFiles(directory: string): Sink {
  const bounded = <T>(path: string, signal: AbortSignal, work: (resolved: string) => Promise<T>) => {
    const shown = shownPath(directory, path)
    const resolving = async () => {
      const resolved = await resolvedPath(directory, path)
      return alone(resolved, shown, () => work(resolved))
    }
    return untilAborted(
      signal,
      `${shown} cannot be written: the file system does not answer`,
      asSinkError(shown, resolving),
    )
  }
  return {
    reusable: false,
    async put(batch, signal) {
      await bounded(batch.path, signal, file => writeOnce(file, batch.path, batch.content))
      return undefined
    },
    async probe(batch, signal) {
      await bounded(batch.path, signal, file => write(file, batch.content))
      await bounded(batch.path, signal, file => rm(file, { force: true }))
    },
    leave: (path, text, signal) => bounded(path, signal, file => write(file, Buffer.from(text))),
    read: (path, bytesMax, signal) => bounded(path, signal, file => readUpTo(file, bytesMax)),
    close() {},
  }
}

/** An operation abandoned at a signal may still be running. */
const underWay = new Set<string>()

/** Two attempts at one file would overwrite each other's data. */
async function alone<T>(path: string, shown: string, work: () => Promise<T>): Promise<T> {
  if (underWay.has(path))
    throw new SinkError(
      'busy',
      'later',
      `${shown} cannot be written: the file system has not answered the previous attempt`,
    )
  underWay.add(path)
  try {
    return await work()
  } finally {
    underWay.delete(path)
  }
}

/** A file under its final name is complete. */
async function writeOnce(path: string, shown: string, body: Uint8Array): Promise<void> {
  // Not the target of a link.
  const known = await lstat(path).catch(() => undefined)
  if (!known?.isFile()) return write(path, body)
  await rm(partialOf(path), { force: true })
  throw new NameTakenError(shown)
}

async function readUpTo(path: string, bytesMax: number): Promise<Buffer | undefined> {
  if ((await lstat(path)).size > bytesMax) return undefined
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES') return undefined
    throw error
  })
}

function partialOf(path: string): string {
  return `${path}.partial`
}

async function write(path: string, body: Uint8Array): Promise<void> {
  const partial = partialOf(path)
  await makeFolder(dirname(path))
  // A leftover of a crashed attempt, or a foreign file: opening a pipe would wait for its reader.
  await rm(partial, { force: true })
  const file = await open(partial, 'wx')
  try {
    await file.writeFile(body)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
  // Without this, a power loss may remove the name.
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

/** Errors in plain words. They require a change by a person, unless `retry` says that they may pass. */
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
