import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Cipher } from '../../kit/cipher.ts'
import { lockFile } from '../../kit/lock-file.ts'
import { edgeCopyLimits } from '../limits.ts'
import { CopyFile } from './copy-file.ts'
import { type CopyState, stateOf } from './state.ts'

/** A file that only this process writes, until it is closed. */
export interface OwnFile {
  readonly file: CopyFile
  readonly path: string
  close(): void
}

/**
 * Processes of one data directory run side by side while `sluice supervise` replaces one. With a file for each, none can
 * write an older state over a newer one. A process begins with the newest copy of all files.
 * @param folder made when absent
 * @param onUnreadable gets the path of another process's file, and the error
 * @throws the system's or SQLite's error if no file can be used
 */
export async function openOwnFile(
  folder: string,
  cipher: Cipher,
  program: string,
  onUnreadable: (path: string, error: unknown) => void,
): Promise<OwnFile> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { path, unlock } = await takePath(folder)
  let file: CopyFile | undefined
  const close = () => {
    file?.close()
    unlock()
  }
  try {
    file = new CopyFile(path, cipher)
    for (const other of pathsIn(folder)) {
      if (other === path || !existsSync(other)) continue
      try {
        takeIfNewer(file, other, program)
      } catch (error) {
        onUnreadable(other, error)
      }
      await removeIfUnused(other)
    }
    return { file, path, close }
  } catch (error) {
    close()
    throw error
  }
}

async function takePath(folder: string): Promise<{ readonly path: string; readonly unlock: () => void }> {
  for (const path of pathsIn(folder)) {
    const unlock = await lockFile(lockOf(path), 0)
    if (unlock !== undefined) return { path, unlock }
  }
  throw new Error(`${edgeCopyLimits.filesMax} processes use the folder`)
}

function takeIfNewer(file: CopyFile, other: string, program: string): void {
  const own = stateOf(program, () => file.get<CopyState>('state', ''))
  const found = stateOf(program, () => file.getFrom<CopyState>(other, 'state', ''))
  if (found !== undefined && found.writtenMs > (own?.writtenMs ?? 0)) file.replaceBy(other)
}

/** The process that wrote it has ended. */
async function removeIfUnused(path: string): Promise<void> {
  const unlock = await lockFile(lockOf(path), 0)
  if (unlock === undefined) return
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  unlock()
}

function pathsIn(folder: string): readonly string[] {
  return Array.from({ length: edgeCopyLimits.filesMax }, (_, at) => join(folder, `${at + 1}.sqlite`))
}

function lockOf(path: string): string {
  return `${path}.lock`
}
