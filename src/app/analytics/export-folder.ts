import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folder for exported files of this process, which another that replaces it leaves alone; only the owner may enter it.
 * Files that ended processes have left are removed, and so are those of an earlier thread of this process.
 * @param data Sluice's data directory
 */
export function exportFolder(data: string): string {
  const folder = join(data, 'exported')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = String(process.pid)
  for (const name of readdirSync(folder))
    if (name === own || !runs(name)) rmSync(join(folder, name), { recursive: true, force: true })
  return join(folder, own)
}

/** Whether a process with this id runs. */
function runs(name: string): boolean {
  if (!/^\d+$/.test(name)) return false
  try {
    return process.kill(Number(name), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
