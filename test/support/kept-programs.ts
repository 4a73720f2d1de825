import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Compiled CRS releases, kept between tests: an instance that finds its release compiled starts in half the time. Sluice
 * compiles again what does not fit its engine, so a stale file only costs time.
 */
const kept = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'sluice-tests')
const folder = 'crs-cache'

/** Puts the compiled releases into a new data directory. */
export async function lendPrograms(data: string): Promise<void> {
  await cp(join(kept, folder), join(data, folder), { recursive: true }).catch(ignoreMissing)
}

/** Keeps the compiled releases of an instance that was stopped. */
export async function keepPrograms(data: string): Promise<void> {
  const names = await readdir(join(data, folder)).catch(ignoreMissing)
  const known = new Set(await readdir(join(kept, folder)).catch(ignoreMissing))
  await mkdir(join(kept, folder), { recursive: true })
  for (const name of names ?? []) if (!known.has(name)) await copyWhole(join(data, folder, name), name)
}

/** Copies aside and renames, because other tests read the folder at the same time. */
async function copyWhole(from: string, name: string): Promise<void> {
  const aside = await mkdtemp(join(kept, 'copy-'))
  await cp(from, join(aside, name))
  await rename(join(aside, name), join(kept, folder, name))
  await rm(aside, { recursive: true })
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
