import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Names of the files of a backup. */
export const databaseName = 'sluice.db'
export const keyName = 'secret-key'
export const manifestName = 'backup.json'

/** The content of `backup.json`. */
export interface Manifest {
  readonly format: 1
  /** `sluice 1.2.3`. */
  readonly madeBy: string
  /** ISO 8601. */
  readonly madeOn: string
  /** Of the database. */
  readonly schema: number
  readonly rows: number
  readonly files: Readonly<Record<string, FileSum>>
}

export interface FileSum {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
}

export async function sumOf(path: string): Promise<FileSum> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

/**
 * The manifest of a backup whose files are complete and unchanged.
 * @throws Error that names the file
 */
export async function checkedManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  const text = await readFile(path, 'utf8').catch(error => {
    throw new Error(`${folder} is not a complete backup: ${path} cannot be read`, { cause: error })
  })
  const manifest = parsed(text)
  if (manifest === undefined)
    throw new Error(`${path} is not the manifest of a backup that this version of Sluice can read`)
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    if (name !== databaseName && name !== keyName) throw new Error(`${path} names an unknown file ${name}`)
    const found = await sumOf(join(folder, name)).catch(error => {
      throw new Error(`the backup lacks ${name}: ${error.message}`, { cause: error })
    })
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new Error(`${join(folder, name)} is not as it was written: use another backup`)
  }
  return manifest
}

function parsed(text: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(text) as Partial<Manifest> | null
    const isKnown = manifest?.format === 1 && manifest.files?.[databaseName] !== undefined
    return isKnown ? (manifest as Manifest) : undefined
  } catch {
    return undefined
  }
}
