import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coveragePage } from './pages/coverage.ts'
import { datasetsPage } from './pages/datasets.ts'
import { decisionsPage } from './pages/decisions.ts'
import { errorsPage } from './pages/errors.ts'
import { fieldsPage } from './pages/fields.ts'
import { limitsPage } from './pages/limits.ts'
import { settingsPage } from './pages/settings.ts'
import { terraformPage } from './pages/terraform.ts'

/**
 * `npm run docs` writes the generated pages of docs/. `node scripts/docs.ts --check` writes nothing, and fails if a page
 * is out of date.
 */
const folder = join(import.meta.dirname, '../docs')
const pages: readonly { readonly name: string; readonly make: () => string }[] = [
  { name: 'reference/settings.md', make: settingsPage },
  { name: 'reference/coverage.md', make: coveragePage },
  { name: 'reference/datasets.md', make: datasetsPage },
  { name: 'reference/errors.md', make: errorsPage },
  { name: 'reference/limits.md', make: limitsPage },
  { name: 'reference/fields.md', make: fieldsPage },
  { name: 'reference/terraform.md', make: terraformPage },
  { name: 'decisions/README.md', make: decisionsPage },
]

if (process.argv.includes('--check')) {
  const stale = pages.filter(({ name, make }) => written(name) !== make()).map(({ name }) => `docs/${name}`)
  if (stale.length > 0) {
    console.error(`out of date: ${stale.join(', ')}; run \`npm run docs\``)
    process.exitCode = 1
  }
} else {
  for (const { name, make } of pages) writeFileSync(join(folder, name), make())
}

function written(name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return undefined
  }
}
