import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coveragePart } from './pages/coverage.ts'
import { datasetsPage } from './pages/datasets.ts'
import { decisionsPage } from './pages/decisions.ts'
import { errorsPart } from './pages/errors.ts'
import { fieldsPart } from './pages/fields.ts'
import { withPart } from './pages/markdown.ts'
import { settingsPage } from './pages/settings.ts'
import { terraformPart } from './pages/terraform.ts'

/**
 * `npm run docs` writes the generated pages of docs/, and the generated parts of other pages. `node scripts/docs.ts
 * --check` writes nothing, and fails if a page is out of date.
 */
const folder = join(import.meta.dirname, '../docs')
/** `make` returns the page; it gets the written one, whose other parts stay. */
const pages: readonly { readonly name: string; readonly make: (written: string) => string }[] = [
  { name: 'reference/settings.md', make: settingsPage },
  {
    name: 'reference/coverage.md',
    make: written => withPart(withPart(written, terraformPart()), coveragePart()),
  },
  { name: 'reference/datasets.md', make: datasetsPage },
  { name: 'reference/api.md', make: written => withPart(written, errorsPart()) },
  { name: 'reference/expressions.md', make: written => withPart(written, fieldsPart()) },
  { name: 'decisions/README.md', make: decisionsPage },
]

if (process.argv.includes('--check')) {
  const stale = pages
    .filter(({ name, make }) => read(name) !== make(read(name)))
    .map(({ name }) => `docs/${name}`)
  if (stale.length > 0) {
    console.error(`out of date: ${stale.join(', ')}; run \`npm run docs\``)
    process.exitCode = 1
  }
} else {
  for (const { name, make } of pages) writeFileSync(join(folder, name), make(read(name)))
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}
