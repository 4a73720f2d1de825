import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areasOfPhase } from '../../../../src/api/access/permissions/check.ts'
import { rulesetPhases } from '../../../../src/model/resource.ts'
import { writePermissions } from './write-permissions.ts'

test('a version can be restored with the permissions that the API asks for', () => {
  for (const kind of ['zone', 'account'] as const)
    for (const phase of rulesetPhases) {
      const asked = areasOfPhase(kind, phase).map(area => `${area} write`)
      assert.deepEqual(writePermissions(kind, phase), asked, `${kind} ${phase}`)
    }
})
