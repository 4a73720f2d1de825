import { chmodSync, closeSync, openSync, readlinkSync, statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

/** Only the owner may read and write. */
const privateMode = 0o600

/**
 * Creates an empty file that only its owner may read, for SQLite to open. A link whose target is absent gets its
 * target. An existing file of this user is taken from all others; for a file of another user, its owner decides. It
 * stays unopened: closing it would drop the locks of this process's other connections. The next program that closes
 * the database would then delete the log of their writes (https://sqlite.org/howtocorrupt.html, 2.2).
 * @throws the system's error when the file cannot be created
 */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', privateMode))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) ensurePrivateFile(targetOf(path))
    else if (found.isFile() && found.uid === process.geteuid?.() && (found.mode & 0o077) !== 0)
      chmodSync(path, privateMode)
  }
}

/** Not normalized: the system resolves `..` behind linked directories. */
function targetOf(link: string): string {
  const target = readlinkSync(link)
  return isAbsolute(target) ? target : `${dirname(link)}/${target}`
}
