import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedExecution } from '../../rulesets/plan/plan.ts'
import { redactionOf } from '../../rulesets/plan/redaction.ts'
import type { ProgramRule } from '../../waf/types.ts'
import type { Inspection } from '../exchange/decisions.ts'
import { foundRules, ruleTexts } from './match-texts.ts'

const inspectionOf = (side: Inspection['side'], ...targets: readonly string[]) =>
  ({
    side,
    transaction: { matches: targets.map(target => ({ rule: { role: 'request' }, target })) },
  }) as unknown as Inspection

test('each match has its target, redacted', () => {
  const inspections = [
    inspectionOf('request'),
    inspectionOf('request', 'ARGS:a', 'ARGS:a', '', 'ARGS:4111111111111111', 'ARGS:"', 'ARGS:a'),
    inspectionOf('response', 'ARGS:a'),
  ]
  const found = foundRules(inspections, redactionOf(undefined))
  assert.deepEqual(
    found.map(({ inspection, targets }) => [inspections.indexOf(inspection), targets]),
    [[1, ['"ARGS:a"', '"ARGS:a"', '""', '"ARGS:************1111"', '"ARGS:\\""', '"ARGS:a"']]],
  )
})

test('zones that run the same program share the texts of its rules, one for each rule that matched', () => {
  const ruleIds = ['id of a', 'id of b']
  const zones = [{ ruleIds }, { ruleIds }] as unknown as readonly ManagedExecution[]
  const [a, b] = ruleIds.map((_, index) => ({ index, id: 900 + index, score: 5 }) as ProgramRule)
  assert.equal(ruleTexts(zones[0]!, a!), ruleTexts(zones[1]!, a!))
  assert.equal(
    ruleTexts(zones[1]!, b!).inRequest,
    '{"id":"id of b","metadata":{"ref":"901","score":"5","target":',
  )
})
