import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program, requestRuleset, responseRuleset, ruleId } from '../testing/documents.ts'
import { type Overrides, resolveOverrides } from './overrides.ts'

const verdict = '6179ae15870a4bb7b2d480d4843b323c'

/** CRS numbers of the detection rules that stay on. */
function enabled(overrides: Overrides, ruleset = requestRuleset): readonly number[] {
  const { mask } = resolveOverrides({ ruleset, program }, overrides)
  return program.rules
    .filter(rule => rule.role !== 'support' && mask.enabled[rule.index] === 1)
    .map(rule => rule.id)
}

const all = [920100, 942100, 942260, 941300, 944400]

test('which rules are on: rule before tag before ruleset before default, the last tag wins', () => {
  const off = (category: string) => ({ category, enabled: false })
  const on = (category: string) => ({ category, enabled: true })
  const rows: readonly (readonly [name: string, overrides: Overrides, want: readonly number[]])[] = [
    ['nothing', {}, all],
    [
      'paranoia level 2',
      { categories: [off('paranoia-level-3'), off('paranoia-level-4')] },
      [920100, 942100, 942260, 944400],
    ],
    [
      'paranoia level 1',
      { categories: [off('paranoia-level-2'), off('paranoia-level-3'), off('paranoia-level-4')] },
      [920100, 942100, 944400],
    ],
    ['ruleset off', { enabled: false }, []],
    ['ruleset off, tag on', { enabled: false, categories: [on('attack-sqli')] }, [942100, 942260]],
    ['ruleset off, rule on', { enabled: false, rules: [{ id: ruleId(941300), enabled: true }] }, [941300]],
    [
      'rule against its tag',
      { categories: [off('attack-sqli')], rules: [{ id: ruleId(942260), enabled: true }] },
      [920100, 942260, 941300, 944400],
    ],
    [
      'last tag on',
      { categories: [off('attack-sqli'), on('paranoia-level-2')] },
      [920100, 942260, 941300, 944400],
    ],
    ['last tag off', { categories: [on('paranoia-level-2'), off('attack-sqli')] }, [920100, 941300, 944400]],
    ['same tag twice', { categories: [off('attack-sqli'), on('attack-sqli')] }, all],
    [
      'last tag without the property',
      { categories: [off('attack-sqli'), { category: 'paranoia-level-1', action: 'log' }] },
      [920100, 941300, 944400],
    ],
    [
      'rule without the property',
      { categories: [off('attack-sqli')], rules: [{ id: ruleId(942100), action: 'log' }] },
      [920100, 941300, 944400],
    ],
    ['an action enables nothing', { enabled: false, action: 'block' }, []],
    ['unknown tag', { categories: [off('wordpress')] }, all],
    ['the last rule off', { rules: [{ id: verdict, enabled: false }] }, all],
  ]
  for (const [name, overrides, want] of rows) assert.deepEqual(enabled(overrides), want, name)
})

test('rules of the other ruleset are off, support rules are never switched', () => {
  assert.deepEqual(enabled({}, responseRuleset), [951100])
  const { mask } = resolveOverrides({ ruleset: requestRuleset, program }, { enabled: false })
  assert.deepEqual([...mask.enabled], [1, 0, 0, 0, 0, 0, 0, 1])
})

test('the action of the last rule', () => {
  const rows: readonly (readonly [
    name: string,
    overrides: Overrides,
    threshold: number,
    action: string,
    acts: boolean,
  ])[] = [
    ['nothing', {}, 40, 'block', true],
    ['threshold', { rules: [{ id: verdict, score_threshold: 60 }] }, 60, 'block', true],
    [
      'threshold and action',
      { rules: [{ id: verdict, score_threshold: 25, action: 'managed_challenge' }] },
      25,
      'managed_challenge',
      true,
    ],
    [
      'two entries merge',
      {
        rules: [
          { id: verdict, score_threshold: 25 },
          { id: verdict, action: 'log' },
        ],
      },
      25,
      'log',
      true,
    ],
    [
      'the later entry wins',
      {
        rules: [
          { id: verdict, score_threshold: 25 },
          { id: verdict, score_threshold: 60 },
        ],
      },
      60,
      'block',
      true,
    ],
    ['ruleset action', { action: 'log' }, 40, 'log', true],
    ['rule before ruleset', { action: 'log', rules: [{ id: verdict, action: 'block' }] }, 40, 'block', true],
    [
      'a tag does not reach it',
      { categories: [{ category: 'paranoia-level-1', action: 'log', enabled: false }] },
      40,
      'block',
      true,
    ],
    ['off', { rules: [{ id: verdict, enabled: false }] }, 40, 'block', false],
    ['ruleset off', { enabled: false }, 40, 'block', false],
    [
      'ruleset off, last rule on',
      { enabled: false, rules: [{ id: verdict, enabled: true }] },
      40,
      'block',
      true,
    ],
    ['action of another rule', { rules: [{ id: ruleId(942100), action: 'log' }] }, 40, 'block', true],
  ]
  for (const [name, overrides, threshold, action, acts] of rows) {
    const { mask: _, ...resolved } = resolveOverrides({ ruleset: requestRuleset, program }, overrides)
    assert.deepEqual(resolved, { threshold, action, acts }, name)
  }
})
