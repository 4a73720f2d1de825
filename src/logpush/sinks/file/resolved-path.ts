import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { makeFolder } from '../../../kit/folders.ts'
import { SinkError } from '../sink.ts'

/** The form of a path in messages: relative to the directory of all file destinations. */
export function shownPath(directory: string, path: string): string {
  const shown = relative(resolve(directory), resolve(directory, path))
  return isOutside(shown) ? path : shown
}

/**
 * Creates the folder of a file.
 * @param directory the directory of all file destinations
 * @param path below it, or an absolute path in it
 * @returns the path without links
 * @throws SinkError `outside`, before anything is created, when the path or a link in it leads out of the directory
 */
export async function resolvedPath(directory: string, path: string): Promise<string> {
  await makeFolder(resolve(directory))
  const root = await realpath(resolve(directory))
  const wanted = resolve(root, path)
  // An absolute path may reach the directory through its own links.
  const folder = await resolvedFolder(root, dirname(wanted), path)
  refuseOutside(root, folder, path)
  await makeFolder(folder)
  // Links without a target, and links that were created meanwhile.
  refuseOutside(root, await realpath(folder), path)
  return join(folder, basename(wanted))
}

/**
 * A folder without links, as far as it exists. A path that leads out of the directory is refused as such, regardless
 * of the files there: other errors would tell which files exist.
 */
async function resolvedFolder(root: string, folder: string, path: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (dirname(folder) === folder) throw error
    const resolved = join(await resolvedFolder(root, dirname(folder), path), basename(folder))
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return resolved
    refuseOutside(root, resolved, path)
    throw error
  }
}

function refuseOutside(root: string, folder: string, path: string): void {
  if (!isOutside(relative(root, folder))) return
  throw new SinkError(
    'outside',
    'never',
    `${path} is not in the directory that SLUICE_DESTINATION_DIRECTORY names: write a path below it, such as file:./logs`,
  )
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
}
