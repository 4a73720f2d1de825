import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { rulesetPhases } from '../../../model/resource.ts'
import { areasOfPhase } from '../permissions/check.ts'
import { groupOf, permissionGroups } from '../permissions/groups.ts'

const page = await readFile(join(import.meta.dirname, '../../../../docs/reference/api.md'), 'utf8')

test('the page lists every permission group and the permissions of each phase', () => {
  for (const { name, scopes, id } of permissionGroups)
    assert.ok(page.includes(`| ${name} | ${scopes.join(', ')} | \`${id}\` |`), name)
  const base = (name: string) => name.replace(/ Read$/, '')
  for (const phase of rulesetPhases) {
    const row = page.split('\n').find(line => line.startsWith('|') && line.includes(`\`${phase}\``))
    const shown = row
      ?.split('|')
      .slice(2, 4)
      .map(cell => cell.trim())
    const names = (['zone', 'account'] as const).map(scope =>
      areasOfPhase(scope, phase)
        .map(area => base(groupOf(area, 'read').name))
        .join(' and '),
    )
    assert.deepEqual(shown, names, phase)
  }
})
