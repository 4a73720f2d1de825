import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ruleset } from '../../model/resource.ts'
import { owaspRequestRulesetId as owasp } from '../managed/owasp.ts'
import { accepted, contextOf, idsOf, ruleId } from '../testing/documents.ts'
import {
  addRule,
  createRuleset,
  deleteRule,
  patchRule,
  replaceEntryPoint,
  replaceRuleset,
} from './documents.ts'

const verdict = '6179ae15870a4bb7b2d480d4843b323c'
const custom = 'http_request_firewall_custom'
const managed = 'http_request_firewall_managed'

const block = (path: string, more: object = {}) => ({
  action: 'block',
  expression: `http.request.uri.path eq "${path}"`,
  ...more,
})

/** An entry point with rules for /a, /b, … by their refs. */
function withRules(context: ReturnType<typeof contextOf>, ...refs: string[]): Ruleset {
  const rules = refs.map(ref => block(`/${ref}`, { ref }))
  return accepted(createRuleset({ kind: 'zone', name: 'default', phase: custom, rules }, context))
}

test('custom log fields: list, create without rules, put one rule', () => {
  const context = contextOf('zone')
  const created = accepted(
    createRuleset(
      {
        name: 'Zone-level phase entry point',
        kind: 'zone',
        description: 'Custom fields',
        phase: 'http_log_custom_fields',
      },
      context,
    ),
  )
  assert.deepEqual(created, {
    id: '1'.padStart(32, '0'),
    scope: context.scope,
    name: 'Zone-level phase entry point',
    description: 'Custom fields',
    kind: 'zone',
    phase: 'http_log_custom_fields',
    version: 1,
    lastUpdated: '2026-05-01T10:00:00.000000Z',
    rules: [],
  })
  const parameters = {
    request_fields: [{ name: 'content-type' }, { name: 'x-forwarded-for' }],
    response_fields: [{ name: 'server' }, { name: 'content-type', preserve_duplicates: false }],
    cookie_fields: [{ name: '__ga' }, { name: 'accountNumber' }],
  }
  const rule = {
    action: 'log_custom_field',
    expression: 'true',
    description: 'Set fields',
    action_parameters: parameters,
  }
  const put = accepted(replaceRuleset(created, { rules: [rule] }, context.at(1)))
  assert.equal(put.version, 2)
  assert.equal(put.description, 'Custom fields')
  assert.deepEqual(put.rules, [
    {
      id: '2'.padStart(32, '0'),
      version: 1,
      action: 'log_custom_field',
      actionParameters: parameters,
      expression: 'true',
      description: 'Set fields',
      enabled: true,
      ref: '2'.padStart(32, '0'),
      lastUpdated: '2026-05-01T10:01:00.000000Z',
    },
  ])
})

test('managed ruleset: put entry point, then patch with overrides', () => {
  const context = contextOf('zone')
  const rule = { action: 'execute', expression: 'true', action_parameters: { id: owasp } }
  const created = accepted(replaceEntryPoint(undefined, managed, { rules: [rule] }, context))
  assert.equal(created.name, 'default')
  assert.equal(created.description, '')
  assert.equal(created.kind, 'zone')
  assert.equal(created.source, 'firewall_managed')
  assert.deepEqual(created.rules[0]!.actionParameters, { id: owasp, version: 'latest' })

  const overrides = {
    categories: [
      { category: 'paranoia-level-3', enabled: false },
      { category: 'paranoia-level-4', enabled: false },
      { category: 'no-such-tag', action: 'block', enabled: true },
    ],
    rules: [{ score_threshold: 60, id: verdict, action: 'managed_challenge' }],
  }
  const body = { ...rule, action_parameters: { id: owasp, version: 'latest', overrides }, enabled: true }
  const patched = accepted(patchRule(created, created.rules[0]!.id, body, context.at(1)))
  assert.equal(patched.version, 2)
  assert.equal(patched.rules[0]!.version, 2)
  assert.equal(patched.rules[0]!.id, created.rules[0]!.id)
  assert.equal(patched.rules[0]!.ref, created.rules[0]!.ref)
  assert.equal(
    JSON.stringify(patched.rules[0]!.actionParameters),
    JSON.stringify({ id: owasp, version: 'latest', overrides }),
  )
})

test('an entry point of an account has the kind root', () => {
  const rule = {
    action: 'execute',
    expression: '(true) and cf.zone.plan eq "ENT"',
    action_parameters: { id: owasp },
  }
  assert.equal(
    accepted(replaceEntryPoint(undefined, managed, { rules: [rule] }, contextOf('account'))).kind,
    'root',
  )
})

/** The bodies that Terraform v5 sends, on create and on every later apply. */
const terraform = (rules: readonly object[]) => ({
  kind: 'zone',
  name: 'My ruleset',
  phase: custom,
  description: '',
  rules,
})

test('terraform: create, apply the same, change one rule, remove one, reorder', () => {
  const context = contextOf('zone')
  const rules = ['a', 'b', 'c'].map(name =>
    block(`/${name}`, { enabled: true, action_parameters: {}, logging: null }),
  )
  const created = accepted(createRuleset(terraform(rules), context))
  assert.deepEqual(
    created.rules.map(rule => rule.ref),
    idsOf(created),
  )
  assert.deepEqual(created.rules[0]!.actionParameters, {})

  const computed = rules.map((rule, at) => ({ ...rule, ref: created.rules[at]!.ref }))
  const again = accepted(replaceRuleset(created, terraform(computed), context.at(1)))
  assert.equal(again.version, 2)
  assert.deepEqual(again.rules, created.rules)

  const edited = computed.map((rule, at) =>
    at === 1 ? { ...rule, enabled: false, description: null } : rule,
  )
  const second = accepted(replaceRuleset(again, terraform(edited), context.at(2)))
  assert.deepEqual(idsOf(second), idsOf(created))
  assert.deepEqual(
    second.rules.map(rule => rule.version),
    [1, 2, 1],
  )
  assert.deepEqual(
    second.rules.map(rule => rule.lastUpdated.slice(11, 16)),
    ['10:00', '10:02', '10:00'],
  )

  const [first, , third] = idsOf(created)
  const reversed = accepted(replaceRuleset(second, terraform([computed[2]!, computed[0]!]), context.at(3)))
  assert.deepEqual(idsOf(reversed), [third, first])
  assert.deepEqual(
    reversed.rules.map(rule => rule.version),
    [1, 1],
  )
  assert.equal(reversed.version, 4)
})

test('put: which entries are existing rules', () => {
  const context = contextOf('zone')
  const current = withRules(context, 'a', 'b')
  const [a, b] = current.rules as [Ruleset['rules'][number], Ruleset['rules'][number]]
  const put = (...rules: object[]) => accepted(replaceRuleset(current, { rules }, context.at(1))).rules
  const rows: readonly (readonly [name: string, entry: object, id: string | undefined, version: number])[] = [
    ['an id alone keeps the rule', { id: b.id }, b.id, 1],
    [
      'an id with output members keeps it',
      { id: b.id, version: '7', last_updated: 'x', action: null },
      b.id,
      1,
    ],
    ['an id with the same definition', { ...block('/b'), id: b.id }, b.id, 1],
    ['an id with another definition', { ...block('/new'), id: b.id }, b.id, 2],
    ['an id with another ref', { ...block('/b'), id: b.id, ref: 'z' }, b.id, 2],
    ['a known ref', { ...block('/new'), ref: 'b' }, b.id, 2],
    ['an unknown ref', { ...block('/b'), ref: 'z' }, undefined, 1],
    ['neither', block('/b'), undefined, 1],
  ]
  for (const [name, entry, id, version] of rows) {
    const [rule] = put(entry)
    if (id === undefined) assert.ok(rule!.id !== a.id && rule!.id !== b.id, name)
    else assert.equal(rule!.id, id, name)
    assert.equal(rule!.version, version, name)
  }
  assert.equal(put({ id: b.id })[0], b)
  assert.equal(put({ ...block('/b'), id: b.id })[0]!.ref, 'b')
})

test('put: absent members keep their value, rules null or [] empties', () => {
  const context = contextOf('zone')
  const current = withRules(context, 'a')
  const put = (body: object) => accepted(replaceRuleset(current, body, context))
  assert.deepEqual(put({ description: 'new' }).rules, current.rules)
  assert.equal(put({ description: 'new' }).description, 'new')
  assert.deepEqual(put({}).rules, current.rules)
  assert.equal(put({}).version, 2)
  assert.deepEqual(put({ rules: null }).rules, [])
  assert.deepEqual(put({ rules: [] }).rules, [])
  assert.equal(
    put({ kind: 'zone', phase: custom, id: current.id, version: '1', source: 'x' }).name,
    'default',
  )
})

test('put entry point: replaces the rules, keeps id and name', () => {
  const context = contextOf('zone')
  const current = withRules(context, 'a')
  const next = accepted(replaceEntryPoint(current, custom, { name: 'other', rules: [block('/b')] }, context))
  assert.deepEqual([next.id, next.name, next.version], [current.id, 'default', 2])
})

test('add rule: at the end or at its position', () => {
  const rows: readonly (readonly [position: object | null, want: string])[] = [
    [null, 'abcx'],
    [{ before: '' }, 'xabc'],
    [{ after: '' }, 'abcx'],
    [{ before: 'b' }, 'axbc'],
    [{ after: 'b', before: null }, 'abxc'],
    [{ index: 1 }, 'xabc'],
    [{ index: 4 }, 'abcx'],
  ]
  for (const [position, want] of rows) {
    const context = contextOf('zone')
    const current = withRules(context, 'a', 'b', 'c')
    const body = { ...block('/x', { ref: 'x', id: 'ignored' }), position: withIds(current, position) }
    const next = accepted(addRule(current, body, context.at(1)))
    assert.equal(next.rules.map(rule => rule.ref).join(''), want)
    assert.equal(next.version, 2)
    assert.ok(!('position' in next.rules.find(rule => rule.ref === 'x')!))
  }
})

test('patch: position alone moves the rule and changes nothing else', () => {
  const rows: readonly (readonly [position: object, want: string])[] = [
    [{ index: 3 }, 'bcad'],
    [{ index: 1 }, 'abcd'],
    [{ index: 4 }, 'bcda'],
    [{ before: 'd' }, 'bcad'],
    [{ after: 'b' }, 'bacd'],
    [{ before: '' }, 'abcd'],
    [{ after: '' }, 'bcda'],
  ]
  for (const [position, want] of rows) {
    const context = contextOf('zone')
    const current = withRules(context, 'a', 'b', 'c', 'd')
    const body = { position: withIds(current, position) }
    const next = accepted(patchRule(current, current.rules[0]!.id, body, context.at(1)))
    assert.equal(next.rules.map(rule => rule.ref).join(''), want)
    assert.equal(next.version, 2)
    assert.ok(next.rules.includes(current.rules[0]!))
  }
})

/** Positions in the tables name rules by their refs. */
function withIds(current: Ruleset, position: object | null): object | null {
  if (position === null) return null
  const idOf = (value: unknown) => current.rules.find(rule => rule.ref === value)?.id ?? value
  return Object.fromEntries(Object.entries(position).map(([key, value]) => [key, idOf(value)]))
}

test('patch: a definition replaces the whole rule except its id and ref', () => {
  const context = contextOf('zone')
  const current = accepted(
    createRuleset(
      {
        kind: 'zone',
        name: 'x',
        phase: custom,
        rules: [block('/a', { ref: 'a', description: 'text', enabled: false }), block('/b')],
      },
      context,
    ),
  )
  const id = current.rules[0]!.id
  const next = accepted(patchRule(current, id, { ...block('/a'), position: { after: '' } }, context.at(1)))
  assert.deepEqual(next.rules[1], {
    id,
    version: 2,
    action: 'block',
    expression: 'http.request.uri.path eq "/a"',
    enabled: true,
    ref: 'a',
    lastUpdated: '2026-05-01T10:01:00.000000Z',
  })
  const same = accepted(patchRule(next, id, block('/a'), context.at(2)))
  assert.equal(same.rules[1], next.rules[1])
  assert.equal(same.version, 3)
  assert.equal(accepted(patchRule(next, id, block('/a', { ref: 'z' }), context.at(2))).rules[1]!.ref, 'z')
})

test('delete: removes one rule', () => {
  const context = contextOf('zone')
  const current = withRules(context, 'a', 'b')
  const next = accepted(deleteRule(current, current.rules[0]!.id, context.at(1)))
  assert.deepEqual(next.rules, [current.rules[1]])
  assert.deepEqual([next.version, next.lastUpdated], [2, '2026-05-01T10:01:00.000000Z'])
})

test('parameters are echoed as sent, without nulls', () => {
  const context = contextOf('zone')
  const response = { status_code: 403, content: 'Überraschung', content_type: 'text/plain' }
  const rows: readonly (readonly [phase: string, rule: object, want: unknown])[] = [
    [custom, { action: 'log' }, undefined],
    [custom, { action: 'log', action_parameters: {} }, {}],
    [custom, { action: 'managed_challenge', action_parameters: null }, undefined],
    [custom, { action: 'block', action_parameters: { response } }, { response }],
    [custom, { action: 'block', action_parameters: { response: null } }, {}],
    [
      managed,
      { action: 'execute', action_parameters: { id: owasp, version: '3' } },
      { version: '3', id: owasp },
    ],
    [
      managed,
      {
        action: 'execute',
        action_parameters: {
          id: owasp,
          matched_data: null,
          overrides: {
            action: 'log',
            enabled: null,
            categories: null,
            rules: [{ id: ruleId(942100), enabled: false, action: null }],
          },
        },
      },
      {
        version: 'latest',
        id: owasp,
        overrides: { action: 'log', rules: [{ id: ruleId(942100), enabled: false }] },
      },
    ],
    [
      managed,
      { action: 'execute', action_parameters: { id: owasp, overrides: {} } },
      { version: 'latest', id: owasp, overrides: {} },
    ],
  ]
  for (const [phase, rule, want] of rows) {
    const body = { kind: 'zone', name: 'x', phase, rules: [{ expression: 'true', ...rule }] }
    assert.deepEqual(accepted(createRuleset(body, context)).rules[0]!.actionParameters, want)
  }
})

test('custom rulesets: several a phase, at both levels, no entry points', () => {
  for (const level of ['zone', 'account'] as const) {
    const context = contextOf(level)
    const body = { kind: 'custom', name: 'shared', phase: custom, description: 'd', rules: [block('/a')] }
    const made = accepted(createRuleset(body, context))
    assert.deepEqual(
      [made.kind, made.phase, made.version, made.rules.length, made.source],
      ['custom', custom, 1, 1, undefined],
    )
    assert.notEqual(accepted(createRuleset(body, context)).id, made.id)
    assert.equal(accepted(replaceRuleset(made, { rules: [] }, context)).version, 2)
  }
})

test('a custom ruleset of the account is executed from its entry point', () => {
  const context = contextOf('account')
  const shared = accepted(createRuleset({ kind: 'custom', name: 'shared', phase: custom }, context))
  const rule = {
    action: 'execute',
    expression: '(cf.zone.name eq "example.com") and cf.zone.plan eq "ENT"',
    action_parameters: { id: shared.id },
  }
  const made = accepted(
    replaceEntryPoint(undefined, custom, { rules: [rule] }, { ...context, custom: () => shared }),
  )
  assert.equal(made.kind, 'root')
  assert.deepEqual(made.rules[0]!.actionParameters, { id: shared.id, version: 'latest' })
})

test('post: ids and other output members of copied rules are ignored', () => {
  const context = contextOf('zone')
  const read = {
    ...block('/a', { ref: 'a' }),
    id: 'f'.repeat(32),
    version: '7',
    last_updated: '2020-01-01T00:00:00Z',
    categories: [],
    score_threshold: 0,
  }
  const made = accepted(createRuleset({ kind: 'zone', name: 'x', phase: custom, rules: [read] }, context))
  assert.deepEqual(made.rules[0], {
    id: '1'.padStart(32, '0'),
    version: 1,
    ...block('/a', { ref: 'a' }),
    enabled: true,
    lastUpdated: context.now,
  })
})

test('logging and limits belong to the definition', () => {
  const context = contextOf('zone')
  const skip = { ref: 'a', action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } }
  const limit = { characteristics: ['ip.src'], period: 60, requests_per_period: 5 }
  const limited = { ...block('/b', { ref: 'b' }), ratelimit: limit }
  const phase = 'http_ratelimit'
  const first = accepted(replaceEntryPoint(undefined, phase, { rules: [skip, limited] }, context))
  const versions = (...rules: object[]) =>
    accepted(replaceEntryPoint(first, phase, { rules }, context.at(1))).rules.map(rule => rule.version)
  assert.deepEqual(versions(skip, limited), [1, 1])
  assert.deepEqual(versions({ ...skip, logging: { enabled: true } }, limited), [1, 1])
  assert.deepEqual(versions({ ...skip, logging: { enabled: false } }, limited), [2, 1])
  assert.deepEqual(versions(skip, { ...limited, ratelimit: { ...limit, period: 10 } }), [1, 2])
  assert.deepEqual(
    versions({ ...block('/a', { ref: 'a' }), logging: null, ratelimit: limit }, limited),
    [2, 1],
  )
})

test('terraform: removed settings arrive as null', () => {
  const context = contextOf('zone')
  const parameters = { ruleset: null, response: null, phases: null }
  const rule = { ...block('/a'), action_parameters: parameters, logging: null, ratelimit: null }
  const made = accepted(createRuleset({ ...terraform([rule]), source: null }, context))
  assert.deepEqual(made.rules[0]!.actionParameters, {})
})

test('a thousand rules are put into a new order', () => {
  const context = contextOf('zone')
  const refs = Array.from({ length: 1000 }, (_, at) => `r${at}`)
  const current = withRules(context, ...refs)
  const rules = [...refs].reverse().map(ref => block(`/${ref}`, { ref }))
  const next = accepted(replaceRuleset(current, { rules }, context.at(1)))
  assert.deepEqual(idsOf(next), [...idsOf(current)].reverse())
  assert.ok(next.rules.every(({ version }) => version === 1))
})
