import { createHash } from 'node:crypto'
import type { CrsFile } from '../model/resource.ts'
import { CrsError } from './crs-error.ts'

/** A CRS release as it was found, before it is imported. */
export interface CrsBundle {
  /** Upstream's version: `4.28.0`. */
  readonly crsVersion: string
  /**
   * In name order: `crs-setup.conf` or `crs-setup.conf.example`, rules, plugins, lists, and all files that they include.
   */
  readonly files: readonly CrsFile[]
  /** For people: `upstream release 4.28.0`. */
  readonly origin: string
}

export const setupName = 'crs-setup.conf'
export const setupExampleName = 'crs-setup.conf.example'

/**
 * The files of every release, as patterns; files that they name are added. Exclusion files with the suffix `.example`
 * are not included: a name without it switches them on.
 */
export const releaseFiles: readonly string[] = [
  setupName,
  setupExampleName,
  'rules/*.conf',
  'rules/*.data',
  'plugins/*-config.conf',
  'plugins/*-before.conf',
  'plugins/*-after.conf',
]

/**
 * @param contents path inside the release → bytes; only what it needs
 * @throws CrsError `not-a-release`
 */
export function bundleOf(contents: ReadonlyMap<string, Uint8Array>, origin: string): CrsBundle {
  const files: CrsFile[] = []
  for (const [name, bytes] of contents) {
    if (name === setupExampleName && contents.has(setupName)) continue
    files.push({ name, text: Buffer.from(bytes).toString('latin1') })
  }
  files.sort((a, b) => compareNames(a.name, b.name))
  const crsVersion = versionIn(files)
  if (crsVersion === undefined) {
    const layout = `expected ${setupExampleName} and a folder rules with .conf and .data files`
    throw new CrsError('not-a-release', `${origin} is not an OWASP CRS release: ${layout}`)
  }
  return { crsVersion, files, origin }
}

/** SHA-256 over names and contents, hex; the order of the files does not matter. */
export function digestOf(files: readonly CrsFile[]): string {
  const hash = createHash('sha256')
  for (const file of files.toSorted((a, b) => compareNames(a.name, b.name))) {
    hash.update(`${file.name}\0${file.text.length}\0`).update(file.text, 'latin1')
  }
  return hash.digest('hex')
}

/** Byte order, the order in which rule files are loaded. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Every release signs itself in its initialisation rules. */
function versionIn(files: readonly CrsFile[]): string | undefined {
  for (const { name, text } of files) {
    if (!name.endsWith('.conf')) continue
    const found = /^[ \t]*SecComponentSignature[ \t]+"?OWASP_CRS\/([0-9]+\.[0-9]+\.[0-9]+[^"\s]*)/m.exec(text)
    if (found !== null) return found[1]
  }
  return undefined
}
