import { join } from 'node:path'

/** Flags for a Node that runs a program which imports the package: it gets the sources that are here. */
export const libraryFlags: readonly string[] = [
  '--no-warnings',
  '--import',
  join(import.meta.dirname, 'library-source.ts'),
]
