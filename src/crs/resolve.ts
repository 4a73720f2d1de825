import { posix } from 'node:path'
import type { CrsFile } from '../model/resource.ts'
import { compareNames } from './bundle.ts'
import { fits } from './glob.ts'

/**
 * Resolves the name or pattern of another file, which is relative to the naming file. The result is relative to the root
 * of the release (or of the setup); it begins with `../` or `/` if it leads out of it.
 */
export function resolveReference(name: string, fromFile: string): string {
  return posix.isAbsolute(name) ? posix.normalize(name) : posix.join(posix.dirname(fromFile), name)
}

/** The files that an `Include` names, in byte order of their paths; a pattern never means the file it stands in. */
export function includedFiles(name: string, fromFile: string, files: readonly CrsFile[]): readonly CrsFile[] {
  const pattern = resolveReference(name, fromFile)
  return files
    .filter(file => file.name === pattern || (file.name !== fromFile && fits(pattern, file.name)))
    .toSorted((a, b) => compareNames(a.name, b.name))
}
