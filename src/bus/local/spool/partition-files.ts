import { type FileHandle, open } from 'node:fs/promises'
import { segmentPath } from './segments.ts'
import { syncDirectory } from './sync.ts'

/** Open files of one partition: jobs read at few positions, mostly in the same segments. */
const handlesKept = 16

interface OpenFile {
  readonly handle: FileHandle
  /** The file is known to be on disk up to here. */
  syncedBytes: number
}

/** Read access to the segments of one partition. */
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
   * Syncs a segment to the disk up to `bytes`, whichever process wrote it. Records that were read then survive a
   * power loss, and no writer assigns their sequence numbers again.
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
    if (this.#open.size > handlesKept) await this.forget(this.#open.keys().next().value!)
    return file
  }
}

function undefinedWhenGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
