import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareRulesets, isSame, restoreBody } from './compare.ts'
import { type HistoryRule, type HistoryRuleset, ruleName, rulesetName } from './documents.ts'

function rule(id: string, members: object = {}): HistoryRule {
  return {
    id,
    ref: id,
    action: 'block',
    expression: `path eq "${id}"`,
    enabled: true,
    version: '1',
    last_updated: '',
    ...members,
  } as HistoryRule
}

function ruleset(rules: readonly HistoryRule[], members: Partial<HistoryRuleset> = {}): HistoryRuleset {
  return {
    id: 'r',
    name: 'default',
    kind: 'zone',
    phase: 'p',
    version: '1',
    last_updated: '',
    description: '',
    rules,
    ...members,
  }
}

const moves = (before: string, after: string) =>
  compareRulesets(
    ruleset([...before].map(id => rule(id))),
    ruleset([...after].map(id => rule(id))),
  ).moved.map(({ rule, from, to }) => `${rule.id}${from}${to}`)

test('members that the server sets are not differences', () => {
  const before = ruleset([rule('a')])
  assert.ok(isSame(compareRulesets(before, before)))
  assert.ok(
    isSame(
      compareRulesets(before, ruleset([rule('a', { version: '2', last_updated: 'now' })], { version: '2' })),
    ),
  )
})

test('rules are added, removed and changed, member by member', () => {
  const parameters = { response: { status_code: 403, content: 'no' }, list: [1, 2] }
  const before = ruleset([rule('a', { action_parameters: parameters }), rule('b')])
  const after = ruleset(
    [
      rule('a', {
        action: 'log',
        description: 'Ours',
        action_parameters: { response: { status_code: 404, content: 'no' }, list: [1] },
      }),
      rule('c'),
    ],
    { description: 'Shop' },
  )
  const { description, added, removed, changed, moved } = compareRulesets(before, after)
  assert.deepEqual(description, { member: 'description', from: '', to: 'Shop' })
  assert.deepEqual([added, removed, moved], [[rule('c')], [rule('b')], []])
  assert.deepEqual(changed[0]!.members, [
    { member: 'action', from: 'block', to: 'log' },
    { member: 'action_parameters.response.status_code', from: '403', to: '404' },
    { member: 'action_parameters.list', from: '[1,2]', to: '[1]' },
    { member: 'description', from: undefined, to: 'Ours' },
  ])
})

test('a rule with another id and the same ref is the same rule', () => {
  const restored = rule('x', { ref: 'a', expression: 'path eq "a"' })
  assert.ok(isSame(compareRulesets(ruleset([rule('a')]), ruleset([restored]))))
})

test('the fewest possible rules count as moved', () => {
  assert.deepEqual(moves('abcd', 'abcd'), [])
  assert.deepEqual(moves('abcd', 'bcda'), ['a14'])
  assert.deepEqual(moves('abcd', 'dabc'), ['d41'])
  assert.equal(moves('abcd', 'dcba').length, 3)
  assert.deepEqual(moves('abcd', 'xcd'), [])
})

test('a restore keeps the ids of existing rules, and restores others by ref', () => {
  const old = ruleset([rule('a'), rule('b', { logging: { enabled: false } })], { description: 'Old' })
  const body = restoreBody(old, ruleset([rule('b'), rule('c')]))
  const definition = { action: 'block', enabled: true }
  assert.deepEqual(body, {
    description: 'Old',
    rules: [
      { ref: 'a', expression: 'path eq "a"', ...definition },
      { id: 'b', ref: 'b', expression: 'path eq "b"', ...definition, logging: { enabled: false } },
    ],
  })
})

test('rules and rulesets have display names', () => {
  const execute = (id: string) => rule('a', { action: 'execute', action_parameters: { id } })
  assert.equal(ruleName(rule('a', { description: 'Ours' })), 'Ours')
  assert.equal(ruleName(rule('a')), 'path eq "a"')
  assert.equal(ruleName(rule('a', { expression: 'true' })), 'block, all requests')
  assert.equal(ruleName(execute('4814384a9e5d4991b9815dcfc25d2f1f')), 'OWASP Core Ruleset')
  assert.equal(ruleName(execute('f00')), 'Ruleset f00')
  const phase = 'http_request_firewall_custom'
  assert.equal(rulesetName({ kind: 'zone', name: 'default', phase }), 'Custom rules')
  assert.equal(rulesetName({ kind: 'custom', name: 'Bots', phase }), 'Bots (custom rules)')
  assert.equal(rulesetName({ kind: 'root', name: 'default', phase: 'later' }), 'later')
})
