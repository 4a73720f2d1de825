import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const root = join(import.meta.dirname, '..')
// A feature of the dashboard, so that its rules apply. The build does not read files with these extensions.
const folder = mkdtempSync(join(root, 'dashboard/src/features/checked-'))
after(() => rmSync(folder, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

function output(tool: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(join('node_modules/.bin', tool), args, { cwd: root, encoding: 'utf8' })
  return stdout + stderr
}

/** A component with this many lines, nearly all of them JSX. */
function component(lines: number): string {
  const rows = Array.from({ length: lines - 6 }, (_, row) => `      <li>{${row}}</li>`)
  return `export function List() {\n  return (\n    <ol>\n${rows.join('\n')}\n    </ol>\n  )\n}\n`
}

test('a function of 60 lines is refused', () => {
  write({
    'long.jsx': component(60),
    'short.jsx': component(59),
  })
  const said = output('biome', 'lint', folder)
  assert.match(said, /long\.jsx:1:8 plugin/)
  assert.doesNotMatch(said, /short\.jsx/)
})

const imports = {
  'dashboard-features-do-not-import-each-other': '../rules/phases.ts',
  'dashboard-features-looks-down-only': '../../app/pages.ts',
  'dashboard-knows-no-server': '../../../../src/edge/index.ts',
}

/** Of one run over all files, because a start takes most of its time. */
let refusals: string
before(() => {
  write({
    'a.mts': "import type { B } from './b.mts'\n\nexport type A = B | 1\n",
    'b.mts': "import type { A } from './a.mts'\n\nexport type B = readonly A[]\n",
  })
  for (const [rule, path] of Object.entries(imports))
    write({ [`${rule}.mts`]: `import type {} from '${path}'\n\nexport const item = 1\n` })
  const names = ['a', 'b', ...Object.keys(imports)]
  const files = names.map(name => join(folder, `${name}.mts`))
  refusals = output('depcruise', '--config', '.dependency-cruiser.cjs', ...files)
})

test('a cycle of types alone is refused', () => {
  assert.match(refusals, /error no-circular: .*a\.mts/)
})

for (const [rule, path] of Object.entries(imports)) {
  test(`${rule}: an import of a type from ${path} is refused`, () => {
    assert.match(refusals, new RegExp(`error ${rule}: .*${rule}\\.mts`))
  })
}
