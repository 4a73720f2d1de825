import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** `mkdir -p`, bounded by the path; Node's own never ends below a folder that answers ENOENT (`/proc`). */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again
    })
  }
}

/**
 * SHA-256 in hex of the names and contents of files. It runs at each start of a checkout, where `globSync` would take longer
 * than all the rest.
 * @param inputs files, and folders with all files below them, relative to `root`
 * @param counts whether a file below a folder is an input
 * @throws if an input does not exist
 */
export function filesHash(
  root: string,
  inputs: readonly string[],
  counts: (path: string) => boolean,
): string {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap(input => filesAt(root, input, counts))) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

function filesAt(root: string, input: string, counts: (path: string) => boolean): string[] {
  const path = join(root, input)
  if (!statSync(path).isDirectory()) return [input]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(input, entry.parentPath.slice(path.length), entry.name))
    .filter(counts)
    .sort()
}
