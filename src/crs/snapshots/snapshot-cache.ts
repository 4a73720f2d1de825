import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../kit/folders.ts'
import { readSharedFile } from '../../kit/shared-file.ts'
import { crsLimits } from '../limits.ts'

/**
 * Snapshots of programs in a folder, so that a later process need not compile. It is only a cache: any fault of the folder
 * counts as an empty one.
 */
export class SnapshotCache {
  readonly #folder: string

  /** @param folder made when it is first written to */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param name what the snapshot is of: rules, setup and engine */
  async read(name: string): Promise<SharedArrayBuffer | undefined> {
    try {
      return await readSharedFile(this.#pathOf(name), crsLimits.snapshotBytesMax)
    } catch {
      return undefined
    }
  }

  /** Resolves also when it could not be written. */
  async write(name: string, snapshot: SharedArrayBuffer): Promise<void> {
    const path = this.#pathOf(name)
    const unfinished = `${path}.${randomUUID()}${unfinishedEnding}`
    try {
      await makeFolder(this.#folder)
      const file = await open(unfinished, 'wx', 0o600)
      try {
        await file.writeFile(new Uint8Array(snapshot))
      } finally {
        await file.close()
      }
      await rename(unfinished, path)
      await this.#forgetOldest()
    } catch {
      await rm(unfinished, { force: true }).catch(() => {})
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, createHash('sha256').update(name).digest('hex') + ending)
  }

  /** Leaves the newest snapshots, and removes files of a killed process. Earlier versions wrote `.image`. */
  async #forgetOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter(name => /\.(?:snapshot|image|part)$/.test(name))
    const files = await Promise.all(
      names.map(async name => {
        const path = join(this.#folder, name)
        return { path, writtenMs: (await stat(path)).mtimeMs }
      }),
    )
    files.sort((a, b) => b.writtenMs - a.writtenMs)
    for (const { path } of files.slice(crsLimits.snapshotsMax)) await rm(path, { force: true })
  }
}

const ending = '.snapshot'
const unfinishedEnding = '.part'
