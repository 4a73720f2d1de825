import { type FileHandle, open } from 'node:fs/promises'
import { segmentPath } from './segments.ts'
import { syncDirectory } from './spool-sync.ts'

/** Open files of one partition: jobs are at a few places, mostly in the same segments. */
const handlesMax = 16

interface OpenFile {
  readonly handle: FileHandle
  /** Up to here it is known to be on the disk. */
  syncedBytes: number
}

/** The segments of one partition as they are read. */
export class PartitionFiles {
  readonly #directory: string
  readonly #sync: boolean
  readonly #open = new Map<number, OpenFile>()

  /** @param sync whether `settle` has anything to do */
  constructor(directory: string, sync: boolean) {
    this.#directory = directory
    this.#sync = sync
  }

  /** @returns bytes read; undefined when the segment is gone */
  async read(segment: number, target: Buffer, offset: number): Promise<number | undefined> {
    const file = await this.#file(segment)
    return file && (await file.handle.read(target, 0, target.length, offset)).bytesRead
  }

  /**
   * Brings a segment to the disk up to `bytes`, whoever wrote it. What was read before survives a power loss then, and
   * no writer gives its sequence numbers to other records.
   */
  async settle(segment: number, bytes: number): Promise<void> {
    const file = this.#open.get(segment)
    if (!this.#sync || file === undefined || file.syncedBytes >= bytes) return
    await file.handle.datasync()
    if (file.syncedBytes === 0) await syncDirectory(this.#directory)
    file.syncedBytes = bytes
  }

  async forget(segment: number): Promise<void> {
    const file = this.#open.get(segment)
    this.#open.delete(segment)
    await file?.handle.close()
  }

  async close(): Promise<void> {
    for (const segment of this.#open.keys()) await this.forget(segment)
  }

  async #file(segment: number): Promise<OpenFile | undefined> {
    const known = this.#open.get(segment)
    if (known !== undefined) return known
    const handle = await open(segmentPath(this.#directory, segment), 'r').catch(undefinedWhenGone)
    if (handle === undefined) return undefined
    const file: OpenFile = { handle, syncedBytes: 0 }
    this.#open.set(segment, file)
    if (this.#open.size > handlesMax) await this.forget(this.#open.keys().next().value!)
    return file
  }
}

function undefinedWhenGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
