import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** SHA-256 in hex of what the built code depends on: sources, the build, and the versions of the packages. */
export function productHash(root: string): string {
  const hash = createHash('sha256')
  const paths = globSync(['src/**/*.ts', 'scripts/build/*.ts', 'package.json', 'package-lock.json'], {
    cwd: root,
  })
  for (const path of paths.toSorted()) {
    if (path.endsWith('.test.ts') || path.includes('/testing/')) continue
    const text = readFileSync(join(root, path))
    hash.update(`${path}\n${text.length}\n`).update(text)
  }
  return hash.digest('hex')
}
