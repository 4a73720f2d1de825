import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The modules whose code decides what a snapshot holds, and what surrounds the rules. */
const modules = ['kit', 'seclang', 'regex', 'detect', 'waf', 'crs']

/**
 * Tells versions of the engine apart: SHA-256 over its own modules as they are on this disk, hex. Undefined when they
 * are not there: in a bundle.
 */
export async function engineDigest(): Promise<string | undefined> {
  const root = join(import.meta.dirname, '../..')
  const names: string[] = []
  for await (const name of glob(`{${modules.join(',')}}/**/*.{js,ts}`, { cwd: root })) {
    if (!/\.test\.|\/testing\/|test-support|\.d\.ts$/.test(name)) names.push(name)
  }
  if (names.length < modules.length) return undefined
  const hash = createHash('sha256')
  for (const name of names.sort()) {
    const text = await readFile(join(root, name))
    hash.update(`${name}\0${text.length}\0`).update(text)
  }
  return hash.digest('hex')
}
