import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')

const page = (effect: string) => `import { useEffect, useRef } from 'react'

export function usePage(): void {
  const paper = useRef<HTMLElement>(null)
  ${effect}
}
`

test('an effect that returns the value of an expression is refused', () => {
  // Inside the project, so that its configuration applies, and outside the sources of the dashboard.
  const folder = mkdtempSync(join(root, 'scripts/effect-'))
  try {
    writeFileSync(join(folder, 'value.tsx'), page('useEffect(() => paper.current?.scrollIntoView(), [])'))
    const block = 'useEffect(() => {\n    paper.current?.scrollIntoView()\n  }, [])'
    writeFileSync(join(folder, 'nothing.tsx'), page(block))
    const lint = spawnSync('node_modules/.bin/biome', ['lint', folder], { cwd: root, encoding: 'utf8' })
    const said = lint.stdout + lint.stderr
    assert.match(said, /value\.tsx:5:13 plugin/)
    assert.equal(said.split('An effect returns nothing').length, 2, said)
    assert.match(said, /Checked 2 files/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
