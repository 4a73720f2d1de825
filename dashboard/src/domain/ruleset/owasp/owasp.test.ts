import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyChanges, type Changes, isEmpty, realChanges } from './changes.ts'
import { deploymentsIn, type ExecuteParameters, type Overrides, owaspRulesetId } from './document.ts'
import { effectiveStates } from './effective.ts'
import { differences } from './sentences.ts'
import { levelOf, readSettings } from './settings.ts'
import { switchRules, switchTag } from './switching.ts'
import { deployment, lastId, off, on, ruleset } from './testing/fixtures.ts'
import { deployCall, writeRule } from './write.ts'

const key = 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8='

/** Overrides after the changes; undefined when there are none. */
function written(overrides: Overrides | undefined, changes: Changes): Overrides | undefined {
  const rule = deployment(overrides === undefined ? {} : { overrides })
  return writeRule(rule, changes, ruleset).action_parameters.overrides
}

function onIds(overrides: Overrides | undefined): string {
  const stateOf = effectiveStates(overrides)
  return ruleset.rules
    .filter(rule => rule.score_threshold === undefined && stateOf(rule).on)
    .map(({ id }) => id)
    .join('')
}

test('without a deployment, the settings are the defaults: PL4, Medium, Block', () => {
  const settings = readSettings(undefined, ruleset)
  assert.equal(settings.deployed, false)
  assert.equal(levelOf(settings), 4)
  assert.deepEqual([settings.threshold, settings.action, settings.acts], [40, 'block', true])
  assert.deepEqual([settings.expression, settings.version, settings.publicKey], ['true', 'latest', ''])
})

test('a deployment is found among the other rules of the entry point', () => {
  const skip = { id: '1', action: 'skip', action_parameters: { ruleset: 'current' } }
  const other = { id: '2', action: 'execute', action_parameters: { id: 'f'.repeat(32) } }
  const own = deployment()
  assert.deepEqual(deploymentsIn({ id: 'e', version: '1', rules: [skip, other, own] }), [own])
  assert.deepEqual(deploymentsIn(undefined), [])
})

test('the level is read with the edge’s precedence', async t => {
  const rows: [name: string, overrides: Overrides, level: number | undefined][] = [
    ['none', {}, 4],
    ['two off', { categories: [off('paranoia-level-3'), off('paranoia-level-4')] }, 2],
    [
      'three off',
      { categories: [off('paranoia-level-4'), off('paranoia-level-2'), off('paranoia-level-3')] },
      1,
    ],
    ['a gap', { categories: [off('paranoia-level-2')] }, undefined],
    ['the last entry wins', { categories: [off('paranoia-level-4'), on('paranoia-level-4')] }, 4],
    ['an action alone changes nothing', { categories: [{ category: 'paranoia-level-4', action: 'log' }] }, 4],
    ['all off', { enabled: false }, undefined],
    ['all off but one', { enabled: false, categories: [on('paranoia-level-1')] }, 1],
  ]
  for (const [name, overrides, level] of rows) {
    await t.test(name, () => assert.equal(levelOf(readSettings(deployment({ overrides }), ruleset)), level))
  }
})

test('threshold, action and the last rule’s switch are read from all levels of overrides', () => {
  const read = (overrides: Overrides) => {
    const { threshold, action, acts } = readSettings(deployment({ overrides }), ruleset)
    return [threshold, action, acts]
  }
  assert.deepEqual(read({ action: 'log' }), [40, 'log', true])
  assert.deepEqual(read({ action: 'log', rules: [{ id: lastId, action: 'challenge' }] }), [
    40,
    'challenge',
    true,
  ])
  assert.deepEqual(
    read({
      rules: [
        { id: lastId, score_threshold: 25 },
        { id: lastId, enabled: false },
      ],
    }),
    [25, 'block', false],
  )
  assert.deepEqual(read({ enabled: false }), [40, 'block', false])
  assert.deepEqual(read({ enabled: false, rules: [{ id: lastId, enabled: true }] }), [40, 'block', true])
})

test('each level replaces every other level completely', () => {
  for (const from of [1, 2, 3, 4] as const) {
    const before = written(undefined, { level: from })
    for (const to of [1, 2, 3, 4] as const) {
      const after = written(before, { level: to })
      const wanted = [2, 3, 4].filter(level => level > to).map(level => off(`paranoia-level-${level}`))
      assert.deepEqual(
        [...(after?.categories ?? [])].sort((a, b) => a.category.localeCompare(b.category)),
        wanted,
      )
      if (to === 4) assert.equal(after, undefined)
    }
  }
})

test('the level counts over tags, and with a disabled ruleset', () => {
  const tagOn: Overrides = { categories: [on('attack-xss')] }
  assert.equal(onIds(written(tagOn, { level: 2 })), 'abe')
  const allOff: Overrides = { enabled: false, rules: [{ id: lastId, enabled: true }] }
  const levelled = written(allOff, { level: 2 })
  assert.equal(onIds(levelled), 'abe')
  assert.equal(levelOf(readSettings(deployment({ overrides: levelled! }), ruleset)), 2)
  assert.equal(onIds(written(levelled, { level: 1 })), 'ae')
})

test('threshold and action go to the last rule independently', () => {
  assert.deepEqual(written(undefined, { threshold: 25 }), { rules: [{ id: lastId, score_threshold: 25 }] })
  const own = { rules: [{ id: lastId, score_threshold: 25 }] }
  assert.deepEqual(written(own, { action: 'log' }), {
    rules: [{ id: lastId, score_threshold: 25, action: 'log' }],
  })
  const spread: Overrides = {
    rules: [
      { id: lastId, action: 'log' },
      { id: 'a', enabled: false },
      { id: lastId, enabled: false },
    ],
  }
  assert.deepEqual(written(spread, { threshold: 60 }), {
    rules: [
      { id: 'a', enabled: false },
      { id: lastId, action: 'log', enabled: false, score_threshold: 60 },
    ],
  })
})

test('unknown members are kept', () => {
  const overrides = {
    action: 'log',
    categories: [{ category: 'paranoia-level-4', enabled: false, action: 'block' }, off('wordpress')],
    rules: [{ id: 'a', action: 'log' }],
    later: [1],
  } as Overrides
  const rule = deployment({ overrides, later: true } as Partial<ExecuteParameters>, {
    description: 'Ours',
    later: { a: 1 },
  })
  const after = writeRule(rule, { level: 4, publicKey: key, expression: 'ssl' }, ruleset)
  assert.deepEqual(after, {
    action: 'execute',
    expression: 'ssl',
    enabled: true,
    description: 'Ours',
    later: { a: 1 },
    action_parameters: {
      id: owaspRulesetId,
      version: 'latest',
      later: true,
      matched_data: { public_key: key },
      overrides: {
        action: 'log',
        categories: [{ category: 'paranoia-level-4', action: 'block' }, off('wordpress')],
        rules: [{ id: 'a', action: 'log' }],
        later: [1],
      },
    },
  })
  const { id, version, last_updated, ref, ...same } = rule as unknown as Record<string, unknown>
  assert.deepEqual(writeRule(rule, {}, ruleset), same)
})

test('rules get an override only when they need one', () => {
  const rule = deployment({ overrides: { categories: [off('paranoia-level-3'), off('attack-sqli')] } })
  assert.deepEqual(switchRules(rule, {}, ruleset, ['e'], false), { rules: new Map([['e', 'off']]) })
  assert.deepEqual(switchRules(rule, {}, ruleset, ['a', 'c'], false), {})
  assert.deepEqual(switchRules(rule, {}, ruleset, ['a', 'e'], true), { rules: new Map([['a', 'on']]) })
  const offOnce = switchRules(rule, {}, ruleset, ['e'], false)
  assert.deepEqual(switchRules(rule, offOnce, ruleset, ['e'], true), {})
  const own = deployment({ overrides: { rules: [{ id: 'e', enabled: false }] } })
  const back = switchRules(own, {}, ruleset, ['e'], true)
  assert.deepEqual(back, { rules: new Map([['e', 'default']]) })
  assert.equal(writeRule(own, back, ruleset).action_parameters.overrides, undefined)
})

test('a tag is disabled after all other overrides, and enabled without a trace', () => {
  const overrides: Overrides = { categories: [on('attack-xss'), off('paranoia-level-4')] }
  const rule = deployment({ overrides })
  const changes = switchTag(rule, {}, ruleset, 'attack-xss', false)
  assert.deepEqual(writeRule(rule, changes, ruleset).action_parameters.overrides, {
    categories: [off('paranoia-level-4'), off('attack-xss')],
  })
  const plain = deployment({ overrides: { categories: [off('attack-xss')] } })
  const back = switchTag(plain, {}, ruleset, 'attack-xss', true)
  assert.equal(writeRule(plain, back, ruleset).action_parameters.overrides, undefined)
})

test('effective states name the deciding override', () => {
  const overrides: Overrides = {
    enabled: true,
    categories: [off('paranoia-level-2'), on('attack-sqli'), off('attack-xss')],
    rules: [{ id: 'd', enabled: true }],
  }
  const stateOf = effectiveStates(overrides)
  assert.deepEqual(
    ruleset.rules.slice(0, 5).map(rule => [rule.id, stateOf(rule)]),
    [
      ['a', { on: true, reason: { by: 'tag', tag: 'attack-sqli' } }],
      ['b', { on: true, reason: { by: 'tag', tag: 'attack-sqli' } }],
      ['c', { on: false, reason: { by: 'tag', tag: 'attack-xss' } }],
      ['d', { on: true, reason: { by: 'rule' } }],
      ['e', { on: true, reason: { by: 'ruleset' } }],
    ],
  )
})

test('changes without effect are dropped', () => {
  const base = readSettings(deployment({ overrides: { rules: [{ id: 'a', enabled: false }] } }), ruleset)
  const same: Changes = {
    deployed: true,
    level: 4,
    threshold: 40,
    action: 'block',
    rules: new Map([['a', 'off']]),
    tags: new Map([['attack-xss', 'default']]),
  }
  assert.ok(isEmpty(realChanges(base, same)))
  assert.deepEqual(applyChanges(base, same), base)
})

test('the call is minimal, and names the version it is based on', () => {
  const rule = deployment()
  const entryPoint = { id: 'e'.repeat(32), version: '7', rules: [rule] }
  const zoneId = 'z'
  const shown = (context: Parameters<typeof deployCall>[0], changes: Changes) => {
    const { method, path, ifMatch } = deployCall(context, changes, ruleset)
    return [method, path, ifMatch]
  }
  const base = '/zones/z/rulesets'
  assert.deepEqual(shown({ zoneId, entryPoint: undefined, rule: undefined }, { deployed: true }), [
    'POST',
    base,
    undefined,
  ])
  assert.deepEqual(shown({ zoneId, entryPoint, rule: undefined }, { deployed: true }), [
    'POST',
    `${base}/${entryPoint.id}/rules`,
    '7',
  ])
  assert.deepEqual(shown({ zoneId, entryPoint, rule }, { level: 2 }), [
    'PATCH',
    `${base}/${entryPoint.id}/rules/${rule.id}`,
    '7',
  ])
  assert.deepEqual(shown({ zoneId, entryPoint, rule }, { deployed: false }), [
    'DELETE',
    `${base}/${entryPoint.id}/rules/${rule.id}`,
    '7',
  ])
  const { body } = deployCall(
    { zoneId, entryPoint: undefined, rule: undefined },
    { deployed: true, level: 2, threshold: 25, action: 'managed_challenge' },
    ruleset,
  )
  assert.deepEqual(body, {
    kind: 'zone',
    name: 'default',
    phase: 'http_request_firewall_managed',
    rules: [
      {
        action: 'execute',
        expression: 'true',
        description: 'OWASP Core Ruleset',
        enabled: true,
        action_parameters: {
          id: owaspRulesetId,
          version: 'latest',
          overrides: {
            categories: [off('paranoia-level-3'), off('paranoia-level-4')],
            rules: [{ id: lastId, score_threshold: 25, action: 'managed_challenge' }],
          },
        },
      },
    ],
  })
})

test('overrides of rules that the release lacks are removed and reported', () => {
  const rule = deployment({ overrides: { rules: [{ id: 'gone', enabled: false }] } })
  assert.deepEqual(writeRule(rule, { threshold: 5 }, ruleset).action_parameters.overrides, {
    rules: [{ id: lastId, score_threshold: 5 }],
  })
  assert.match(differences(rule, { threshold: 5 }, ruleset).join('\n'), /Overrides removed.*gone/)
  assert.deepEqual(differences(rule, {}, ruleset), [])
})

test('differences are sentences', async t => {
  const rows: [name: string, changes: Changes, sentences: readonly RegExp[]][] = [
    ['nothing', { level: 4, threshold: 40 }, []],
    ['level', { level: 2 }, [/^Paranoia level: PL4 → PL2\.$/, /^Rules enabled: 5 → 3\.$/]],
    [
      'threshold',
      { threshold: 25 },
      [/^Threshold: Medium \(40\) → High \(25\)\. Fewer matching rules reach it\.$/],
    ],
    [
      'a number',
      { threshold: 70 },
      [/^Threshold: Medium \(40\) → 70\. More matching rules are needed to reach it\.$/],
    ],
    ['action', { action: 'managed_challenge' }, [/^Action: Block → Managed Challenge\.$/]],
    ['scope', { expression: 'ssl' }, [/^Scope: all requests → requests where ssl\.$/]],
    ['payload', { publicKey: key }, [/^Payload logging: enabled, for the public key Ycig/]],
    ['release', { version: '3' }, [/^Release: latest → CRS 4\.28\.0 \(version 3\)\.$/]],
    [
      'rule',
      { rules: new Map([['a', 'off']]) },
      [/^Rule 942100 \(Message of 942100\): disabled\.$/, /5 → 4/],
    ],
    [
      'tag',
      { tags: new Map([['attack-sqli', 'off']]) },
      [/^Tag attack-sqli: disabled \(2 rules, and future rules/, /5 → 3/],
    ],
    ['removed', { deployed: false, level: 1 }, [/^Ruleset removed/]],
  ]
  for (const [name, changes, wanted] of rows) {
    await t.test(name, () => {
      const found = differences(deployment(), changes, ruleset)
      assert.equal(found.length, wanted.length, found.join('\n'))
      for (const [index, pattern] of wanted.entries()) assert.match(found[index]!, pattern)
    })
  }
  assert.deepEqual(differences(undefined, { deployed: true, level: 2 }, ruleset), [
    'Ruleset deployed for all requests.',
    'Paranoia level: PL2. Threshold: Medium (40). Action: Block.',
    '3 of 5 rules enabled.',
  ])
  assert.deepEqual(differences(undefined, { level: 2 }, ruleset), [])
})
