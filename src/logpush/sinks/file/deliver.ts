import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../../kit/folders.ts'
import { type Sink, SinkError } from '../sink.ts'

/** Objects as files. A file appears under its name only when it is whole. */
export function openFiles(): Sink {
  return {
    async put(path, body) {
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
    },
    async remove(path) {
      await asSinkError(path, () => rm(path, { force: true }))
    },
    close() {},
  }
}

async function asSinkError(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const permanent = ['EACCES', 'EPERM', 'ENOTDIR', 'EROFS', 'EISDIR'].includes(code)
    throw new SinkError(code, permanent ? 'never' : 'later', `${path} cannot be written: ${code}`, {
      cause: error,
    })
  }
}
