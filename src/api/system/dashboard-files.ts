import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** One representation of a file: as it is, or compressed. */
export interface Representation {
  readonly bytes: Buffer
  readonly etag: string
}

export interface DashboardFile {
  readonly type: string
  /** Its name changes with its content, so that browsers may cache it permanently. */
  readonly immutable: boolean
  readonly plain: Representation
  readonly br?: Representation
  readonly gzip?: Representation
}

/** The built page, read once: a few megabytes. */
export interface Dashboard {
  /** HTML with a placeholder for the nonce of one load. */
  readonly page: string
  /** By path, such as `/assets/main-4f2a.js`. */
  readonly files: ReadonlyMap<string, DashboardFile>
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** @param directory output of dashboard/build.ts */
export function readDashboard(directory: string): Dashboard {
  const files = new Map<string, DashboardFile>()
  const names = new Set(readdirSync(directory, { recursive: true, encoding: 'utf8' }))
  for (const name of names) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = join(directory, name)
    files.set(`/${name.replaceAll('\\', '/')}`, {
      type,
      immutable: /^assets[/\\]/.test(name),
      plain: representation(path),
      ...(names.has(`${name}.br`) ? { br: representation(`${path}.br`) } : {}),
      ...(names.has(`${name}.gz`) ? { gzip: representation(`${path}.gz`) } : {}),
    })
  }
  return { page: readFileSync(join(directory, 'index.html'), 'utf8'), files }
}

function representation(path: string): Representation {
  const bytes = readFileSync(path)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}
