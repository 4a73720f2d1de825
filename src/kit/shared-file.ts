import { open } from 'node:fs/promises'

/**
 * Reads a file into memory that threads can share, without a copy in between.
 * @param bytesMax of a file that is not trusted
 * @throws the system's error; RangeError for a longer file, and for one that becomes shorter meanwhile
 */
export async function readSharedFile(
  path: string,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<SharedArrayBuffer> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > bytesMax) throw new RangeError(`it has more than ${bytesMax} bytes`)
    const shared = new SharedArrayBuffer(size)
    const content = new Uint8Array(shared)
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(content, at, size - at, at)
      if (bytesRead === 0) throw new RangeError('it was shortened')
      at += bytesRead
    }
    return shared
  } finally {
    await file.close()
  }
}
