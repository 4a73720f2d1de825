import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program, requestRuleset, responseRuleset, ruleId } from '../testing/documents.ts'
import { buildManagedRulesets, ruleIdsOf } from './owasp.ts'

const hexId = /^[0-9a-f]{32}$/

test('the request ruleset: known ids, rules in order, last rule with the threshold', () => {
  const { rules, ...about } = requestRuleset
  assert.equal(about.id, '4814384a9e5d4991b9815dcfc25d2f1f')
  assert.equal(about.name, 'Cloudflare OWASP Core Ruleset')
  assert.deepEqual(
    [about.kind, about.phase, about.source],
    ['managed', 'http_request_firewall_managed', 'firewall_managed'],
  )
  assert.deepEqual([about.version, about.lastUpdated], [3, '2026-05-01T00:00:00.000000Z'])
  assert.match(about.description, /4\.28\.0/)
  assert.deepEqual(
    rules.map(rule => rule.description?.slice(0, 6)),
    ['920100', '942100', '942260', '941300', '944400', '949110'],
  )
  assert.deepEqual(rules.at(-1), {
    id: '6179ae15870a4bb7b2d480d4843b323c',
    version: 3,
    action: 'block',
    scoreThreshold: 40,
    description: '949110: Inbound Anomaly Score Exceeded',
    enabled: true,
    ref: rules.at(-1)!.ref,
    lastUpdated: '2026-05-01T00:00:00.000000Z',
  })
  const { id, ref, ...rule } = rules[1]!
  assert.deepEqual(rule, {
    version: 3,
    action: 'score',
    actionParameters: { increment: 5 },
    description: '942100: Message of 942100',
    categories: ['paranoia-level-1', 'attack-sqli', 'language-multi', 'platform-multi'],
    enabled: true,
    lastUpdated: '2026-05-01T00:00:00.000000Z',
  })
  assert.match(id, hexId)
  assert.match(ref, hexId)
})

test('the response ruleset ends with its own rule', () => {
  assert.match(responseRuleset.id, hexId)
  assert.equal(responseRuleset.phase, 'http_response_firewall_managed')
  assert.equal(responseRuleset.rules.length, 2)
  const last = responseRuleset.rules.at(-1)!
  assert.deepEqual([last.description, last.scoreThreshold], ['959100: Outbound Anomaly Score Exceeded', 5])
})

test('one paranoia level, structural tags dropped, slashes to dashes', () => {
  const rows: readonly (readonly [number: number, categories: readonly string[]])[] = [
    [920100, ['paranoia-level-1', 'attack-protocol']],
    [942260, ['paranoia-level-2', 'attack-sqli']],
    [941300, ['paranoia-level-3', 'application-multi', 'attack-xss']],
    [944400, ['paranoia-level-1', 'language-java', 'attack-injection-java']],
  ]
  for (const [number, categories] of rows) {
    const rule = requestRuleset.rules.find(candidate => candidate.id === ruleId(number))
    assert.deepEqual(rule?.categories, categories)
  }
})

test('ids are all different and the same in every release', () => {
  const rules = [...requestRuleset.rules, ...responseRuleset.rules]
  assert.equal(new Set(rules.flatMap(rule => [rule.id, rule.ref])).size, rules.length * 2)
  const [next] = buildManagedRulesets(program, {
    crsVersion: '4.29.0',
    version: 4,
    importedOn: '2026-06-01T00:00:00.000000Z',
  })
  assert.deepEqual(
    next!.rules.map(rule => rule.id),
    requestRuleset.rules.map(rule => rule.id),
  )
  const ids = ruleIdsOf(program)
  assert.equal(ids, ruleIdsOf(program))
  assert.equal(ids[0], '')
  assert.equal(ids[2], ruleId(942100))
  assert.equal(ids[3], '6afe6795ee6a48d6a1dfe59255395a78', 'the public id of 942260')
  assert.equal(ids[6], ruleId(951100))
})
