import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SHA-256 in hex of all inputs of the page's build: its sources, the modules of `src` that it imports, and the versions
 * of the packages.
 */
export function sourceHash(dashboard: string): string {
  const hash = createHash('sha256')
  const own = globSync(['index.html', '*.ts', 'public/*', 'src/**/*.{ts,tsx,css,svg}'], { cwd: dashboard })
  const language = globSync(
    ['../src/{expressions,regex,kit,logfilter,model}/**/*.ts', '../src/rulesets/fields/*.ts'],
    {
      cwd: dashboard,
    },
  )
  const read = [...own.sort(), ...language.sort()].filter(path => !path.endsWith('.test.ts'))
  for (const path of [...read, '../package-lock.json']) {
    const bytes = readFileSync(join(dashboard, path))
    hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}
