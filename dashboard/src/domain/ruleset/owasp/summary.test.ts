import assert from 'node:assert/strict'
import { test } from 'node:test'
import { protectionOf } from './summary.ts'
import { deployment, lastId, off, ruleset } from './testing/fixtures.ts'

const upTo2 = [off('paranoia-level-3'), off('paranoia-level-4')]
const entryPoint = (...rules: readonly unknown[]) => ({ id: 'e', version: '1', rules })
const last = (members: object) => ({ overrides: { categories: upTo2, rules: [{ id: lastId, ...members }] } })

test('protection of a zone in a word', () => {
  const rows = [
    [null, 'Disabled bad'],
    [entryPoint(), 'Disabled bad'],
    [entryPoint({ action: 'skip', action_parameters: { ruleset: 'current' } }), 'Disabled bad'],
    [entryPoint(deployment({}, { enabled: false })), 'Disabled bad'],
    [entryPoint(deployment()), 'PL4 · 40 · Block good'],
    [
      entryPoint(deployment(last({ action: 'managed_challenge', score_threshold: 25 }))),
      'PL2 · 25 · Challenge good',
    ],
    [entryPoint(deployment(last({ action: 'log' }))), 'Log warn'],
    [entryPoint(deployment(last({ enabled: false }))), 'Log warn'],
    [
      entryPoint(deployment({}, { expression: 'http.host eq "shop.example"' })),
      'PL4 · 40 · Block, partial good',
    ],
    [entryPoint(deployment({}, { enabled: false }), deployment(last({}))), 'PL2 · 40 · Block good'],
    [
      entryPoint(deployment({ overrides: { categories: [off('paranoia-level-1')] } })),
      'Custom levels · 40 · Block good',
    ],
  ] as const
  for (const [rules, want] of rows) {
    const { word, tone } = protectionOf(rules, ruleset)
    assert.equal(`${word} ${tone}`, want)
  }
  assert.equal(protectionOf(entryPoint(deployment()), undefined).word, 'Enabled')
})
