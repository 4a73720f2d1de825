import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limit, limitGroup, limits, tuning } from '../../src/kit/limits.ts'
import { wafLimits } from '../../src/waf/limits.ts'
import { limitSections } from './limits.ts'

test('a declaration gives the values, and keeps the unit and the reason', () => {
  const declared = limits('Subject', {
    nameBytesMax: limit(10, 'bytes', 'A name; longer → 400.'),
    sliceMs: tuning(5, 'ms', 'Work between two turns.'),
  })
  assert.deepEqual(declared, { nameBytesMax: 10, sliceMs: 5 })
  const group = limitGroup(declared)
  assert.equal(group?.subject, 'Subject')
  assert.deepEqual(group?.limits.get('nameBytesMax'), {
    value: 10,
    unit: 'bytes',
    reason: 'A name; longer → 400.',
    kind: 'user',
  })
})

test('the page lists the limits of a module without its tuning', () => {
  const page = limitSections().join('\n')
  for (const [name, { kind, reason }] of limitGroup(wafLimits)!.limits)
    assert.equal(
      page.includes(`| \`${name}\` |`) && page.includes(reason.slice(0, 20)),
      kind === 'user',
      name,
    )
})

test('a limit has its value in a readable unit', () => {
  const page = limitSections().join('\n')
  assert.match(page, /\| `inspectedBodyBytesMax` \| 1 MiB \|/)
  assert.match(page, /\| `rangeMsMax` \| 31 days \|/)
  assert.match(page, /\| `cpuShare` \| 2% \|/)
  assert.match(page, /\| `rulesPerRulesetMax` \| 1,000 \|/)
})
