import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
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

/** `mkdir -p`, bounded by the path; the platform's own never ends below a folder that refuses with ENOENT (`/proc`). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path)
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
