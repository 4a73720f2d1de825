import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactionOf } from '../../rulesets/plan/redaction.ts'
import type { Inspection } from '../exchange/decisions.ts'
import { foundRules } from './match-texts.ts'

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
