import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, contextOf, requestRuleset } from '../testing/documents.ts'
import { customRuleset } from '../testing/parameters.ts'
import { createRuleset } from './documents.ts'
import { rulesByTag, rulesetInUse } from './references.ts'

const phase = 'http_request_firewall_custom'

test('an executed ruleset cannot be deleted', () => {
  const context = contextOf('zone')
  const shared = customRuleset(context, phase, { action: 'log', expression: 'ssl' })
  const rules = [{ action: 'execute', expression: 'true', action_parameters: { id: shared.id } }]
  const entryPoint = accepted(
    createRuleset({ kind: 'zone', name: 'x', phase, rules }, { ...context, custom: () => shared }),
  )
  const problem = rulesetInUse(shared, [shared, entryPoint])
  assert.equal(problem?.status, 400)
  assert.equal(problem.code, 20222)
  assert.match(problem.message, new RegExp(`rule ${entryPoint.rules[0]!.id} of ruleset ${entryPoint.id}`))
  assert.equal(rulesetInUse(shared, [shared]), undefined)
  assert.equal(rulesetInUse(entryPoint, [shared, entryPoint]), undefined)
})

test('rules of a managed ruleset by tag', () => {
  const descriptions = (tag: string) => rulesByTag(requestRuleset, tag).rules.map(rule => rule.description)
  assert.deepEqual(descriptions('paranoia-level-3'), ['941300: Message of 941300'])
  assert.equal(descriptions('attack-sqli').length, 2)
  assert.deepEqual(descriptions('nothing'), [])
  assert.equal(rulesByTag(requestRuleset, 'nothing').id, requestRuleset.id)
})
