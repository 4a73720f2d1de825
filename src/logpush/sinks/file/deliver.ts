import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../../kit/folders.ts'
import { type Sink, SinkError } from '../sink.ts'

/** Objects as files. A file appears under its name only when it is whole; a replay replaces it by the same bytes. */
export function openFiles(): Sink {
  return {
    put: batch => write(batch.path, batch.gzip),
    async probe(batch) {
      await write(batch.path, batch.gzip)
      await asSinkError(batch.path, () => rm(batch.path, { force: true }))
    },
    leave: (path, text) => write(path, Buffer.from(text)),
    close() {},
  }
}

async function write(path: string, body: Uint8Array): Promise<void> {
  const partial = `${path}.partial`
  await asSinkError(path, async () => {
    await makeFolder(dirname(path))
    const file = await open(partial, 'w')
    try {
      await file.writeFile(body)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  })
}

async function asSinkError(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const words = reasons[code]
    throw new SinkError(
      code,
      words === undefined ? 'later' : 'never',
      `${path} cannot be written: ${code}${words === undefined ? '' : `, ${words}`}`,
      { cause: error },
    )
  }
}

/** Errors that only a person can mend. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'the user of this process may not write there',
  EPERM: 'the user of this process may not write there',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EROFS: 'the file system is read-only',
  EISDIR: 'there is a folder of that name',
}
