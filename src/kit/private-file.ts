import { closeSync, openSync } from 'node:fs'

/**
 * Creates an empty file that only its owner may read, for SQLite to open. An existing file stays unopened: to close it
 * would drop the locks that other connections of this process have on it, and the next program that closes the database
 * would then delete the log of their writes (https://sqlite.org/howtocorrupt.html, 2.2).
 * @throws the system's error when the file cannot be created
 */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
