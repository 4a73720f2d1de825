import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoringRules } from '../../../domain/ruleset/owasp/document.ts'
import { effectiveStates } from '../../../domain/ruleset/owasp/effective.ts'
import { off, ruleset } from '../../../domain/ruleset/owasp/testing/fixtures.ts'
import { type RuleSearch, reasonText, rowOf, searchRules, tagCounts } from './rule-search.ts'

const overrides = {
  categories: [off('paranoia-level-4'), off('attack-sqli')],
  rules: [{ id: 'a', enabled: true }],
}
const stateOf = effectiveStates(overrides)
const rows = scoringRules(ruleset).map(rule => rowOf(rule, stateOf(rule), rule.id !== 'e'))
const any: RuleSearch = { text: '', tag: '', level: undefined, state: 'all' }

test('rules are found by number, id, text, tag, level and state', async t => {
  const searches: [search: Partial<RuleSearch>, ids: string][] = [
    [{}, 'abcde'],
    [{ text: '9421' }, 'a'],
    [{ text: 'MESSAGE 942' }, 'ab'],
    [{ text: 'sqli pl2' }, 'b'],
    [{ text: 'paranoia-level-3' }, 'c'],
    [{ text: 'nothing' }, ''],
    [{ tag: 'attack-xss' }, 'cd'],
    [{ tag: 'attack-xss', level: 4 }, 'd'],
    [{ state: 'on' }, 'ace'],
    [{ state: 'off' }, 'bd'],
    [{ state: 'own' }, 'a'],
    [{ state: 'draft' }, 'bde'],
  ]
  for (const [search, ids] of searches) {
    await t.test(JSON.stringify(search), () => {
      assert.equal(
        searchRules(rows, { ...any, ...search })
          .map(({ rule }) => rule.id)
          .join(''),
        ids,
      )
    })
  }
})

test('tags are counted, most first', () => {
  assert.deepEqual(
    tagCounts(rows).map(({ tag, count }) => `${tag} ${count}`),
    ['attack-sqli 2', 'attack-xss 2', 'attack-protocol 1', 'language-php 1', 'platform-multi 1'],
  )
})

test('a reason explains the state of a rule', () => {
  assert.deepEqual(
    rows.map(({ state }) => reasonText(state)),
    [
      'Enabled by a rule override.',
      'Disabled by an override of the tag attack-sqli.',
      'Enabled by default.',
      'Disabled by the paranoia level.',
      'Enabled by default.',
    ],
  )
})
