import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Files of a first start, kept between tests because making them costs time: the compiled CRS releases, which take half of
 * the start, and the self-signed certificate. Sluice replaces a file that does not fit its engine or has expired.
 */
const kept = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'sluice-tests')
const programs = 'crs-cache'
const certificate = 'self-signed.pem'

/** Copies the kept files into a new data directory. */
export async function lendData(data: string): Promise<void> {
  for (const name of [programs, certificate])
    await cp(join(kept, name), join(data, name), { recursive: true }).catch(ignoreMissing)
}

/** Keeps the files of an instance that was stopped. */
export async function keepData(data: string): Promise<void> {
  await mkdir(join(kept, programs), { recursive: true })
  await keepNew(data, kept, [certificate])
  const names = await readdir(join(data, programs)).catch(ignoreMissing)
  await keepNew(join(data, programs), join(kept, programs), names ?? [])
}

/** Copies aside and renames, because other tests read the folder at the same time. */
async function keepNew(from: string, into: string, names: readonly string[]): Promise<void> {
  const known = new Set(await readdir(into))
  for (const name of names) {
    if (known.has(name)) continue
    const aside = await mkdtemp(join(kept, 'copy-'))
    const copy = join(aside, name)
    await cp(join(from, name), copy).catch(ignoreMissing)
    await rename(copy, join(into, name)).catch(ignoreMissing)
    await rm(aside, { recursive: true })
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
