import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program, requestRuleset, ruleId } from '../testing/documents.ts'
import { everyLevelOf, overridesAtLevel } from './every-level.ts'
import { type Overrides, resolveOverrides } from './overrides.ts'

const managed = { ruleset: requestRuleset!, program }
const off = (category: string) => ({ category, enabled: false })
const on = (category: string) => ({ category, enabled: true })

/** Lowest level of each detection rule for requests. */
function levelsOf(overrides: Overrides) {
  const own = resolveOverrides(managed, overrides)
  const every = everyLevelOf(managed, overrides, own.mask)
  const levels: Record<number, number> = {}
  for (const { id, index, role } of program.rules) if (role === 'request') levels[id] = every.levels[index]!
  return { levels, isOwn: every.isOwn, mask: every.mask, own: own.mask }
}

const plain = { 920100: 1, 942100: 1, 942260: 2, 941300: 3, 944400: 1 }

test('the lowest level at which each rule is on, and whether the execution runs all of them', () => {
  const rows: readonly (readonly [
    name: string,
    overrides: Overrides,
    levels: Record<number, number>,
    isOwn: boolean,
  ])[] = [
    ['no overrides', {}, plain, true],
    ['level 2', { categories: [off('paranoia-level-3'), off('paranoia-level-4')] }, plain, false],
    ['level 3: no rule is above', { categories: [off('paranoia-level-4')] }, plain, true],
    ['another tag off', { categories: [off('attack-sqli')] }, { ...plain, 942100: 0, 942260: 0 }, true],
    [
      'a rule off and one on',
      {
        rules: [
          { id: ruleId(942100), enabled: false },
          { id: ruleId(941300), enabled: true },
        ],
      },
      { ...plain, 942100: 0, 941300: 1 },
      true,
    ],
    [
      'a rule on against its level',
      { categories: [off('paranoia-level-3')], rules: [{ id: ruleId(941300), enabled: true }] },
      { ...plain, 941300: 1 },
      true,
    ],
    [
      'a tag on that wins over a level off',
      { categories: [off('paranoia-level-2'), on('attack-sqli')] },
      { ...plain, 942260: 1 },
      true,
    ],
    ['everything off: a level switches its rules on', { enabled: false }, plain, false],
    ['everything off but a level', { enabled: false, categories: [on('paranoia-level-1')] }, plain, false],
    [
      'everything off but a level, and a tag off',
      { enabled: false, categories: [on('paranoia-level-1'), off('attack-sqli')] },
      { ...plain, 942100: 0, 942260: 0 },
      false,
    ],
    [
      'a threshold and an action change nothing',
      { action: 'log', rules: [{ id: ruleId(942100), action: 'block' }] },
      plain,
      true,
    ],
  ]
  for (const [name, overrides, levels, isOwn] of rows) {
    const found = levelsOf(overrides)
    assert.deepEqual(found.levels, levels, name)
    assert.equal(found.isOwn, isOwn, name)
    assert.equal(found.mask === found.own, isOwn, name)
    for (const { id, index, role } of program.rules)
      if (role === 'request')
        assert.equal(found.mask.enabled[index], levels[id] === 0 ? 0 : 1, `${name} ${id}`)
  }
})

test('a level runs the rules whose lowest level it reaches', () => {
  const overrides: Overrides = {
    action: 'log',
    categories: [
      off('paranoia-level-2'),
      { category: 'paranoia-level-1', action: 'block', enabled: true },
      on('attack-xss'),
    ],
    rules: [{ id: ruleId(942100), enabled: false }],
  }
  const { levels } = levelsOf(overrides)
  for (const level of [1, 2, 3, 4]) {
    const at = overridesAtLevel(overrides, level)
    const { mask } = resolveOverrides(managed, at)
    for (const { id, index, role } of program.rules)
      if (role === 'request')
        assert.equal(mask.enabled[index] === 1, levels[id]! > 0 && levels[id]! <= level, `${id} at ${level}`)
    assert.equal(at.action, 'log')
    const [first] = at.categories!.filter(({ category }) => category === 'paranoia-level-1')
    assert.equal(first?.action, 'block')
  }
})
