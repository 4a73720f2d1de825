import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

test('the most likely known name', () => {
  const operators = ['rx', 'pm', 'streq', 'contains', 'detectSQLi', 'detectXSS', 'validateUtf8Encoding']
  const rows: [name: string, want: string | undefined][] = [
    ['streq', 'streq'],
    ['StrEq', 'streq'],
    ['steq', 'streq'],
    ['streqq', 'streq'],
    ['sterq', 'streq'],
    ['stXXX', undefined],
    ['contain', 'contains'],
    ['detectsqli', 'detectSQLi'],
    ['detectXS', 'detectXSS'],
    ['rxx', 'rx'],
    // Of a name of 20 characters up to six may be wrong.
    ['validateUtf8......ng', 'validateUtf8Encoding'],
    ['validateUtf.......ng', undefined],
    ['px', 'rx'],
    ['pq', 'pm'],
    ['zz', undefined],
    ['z', undefined],
    ['', undefined],
    ['something else', undefined],
  ]
  for (const [name, want] of rows) assert.equal(nearest(name, operators), want, name)
})

test('among equally close names the first wins', () => {
  assert.equal(nearest('cat', ['bat', 'rat']), 'bat')
  assert.equal(nearest('cat', ['rat', 'bat']), 'rat')
  assert.equal(nearest('cat', []), undefined)
})
