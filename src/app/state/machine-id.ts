import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../kit/ids.ts'

/** Hex digits of a machine's id: enough for machines that share a database. */
const digits = 12

/**
 * The id of this data directory among machines that share a database or a record log. It is generated once and kept in
 * the file `machine-id`.
 * @param data an existing data directory
 */
export function machineId(data: string): string {
  const path = join(data, 'machine-id')
  const kept = read(path) ?? make(path)
  if (/^[0-9a-f]{12}$/.test(kept)) return kept
  throw new Error(
    `${path} does not contain the id of this machine (12 hex digits): remove it, and the next start generates one`,
  )
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The file appears complete; if several processes generate an id at once, the first one is kept. */
function make(path: string): string {
  const whole = `${path}.${newId()}`
  writeFileSync(whole, `${newId().slice(0, digits)}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(whole, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(whole)
  }
  return readFileSync(path, 'utf8').trim()
}
