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
  const folder = await resolvedFolder(dirname(wanted))
  refuseOutside(root, folder, path)
  await makeFolder(folder)
  // Links without a target, and links that were created meanwhile.
  refuseOutside(root, await realpath(folder), path)
  return join(folder, basename(wanted))
}

/** A folder without links, as far as it exists. */
async function resolvedFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    return join(await resolvedFolder(dirname(folder)), basename(folder))
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
