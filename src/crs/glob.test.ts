import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits } from './glob.ts'

test('patterns of Include', () => {
  const rows: readonly [pattern: string, path: string, want: boolean][] = [
    ['rules/*.conf', 'rules/a.conf', true],
    ['rules/*.conf', 'rules/.conf', false],
    ['rules/.*', 'rules/.conf', true],
    ['rules/*.conf', 'rules/a.conf.example', false],
    ['rules/*.conf', 'rules/more/a.conf', false],
    ['*/*.conf', 'rules/a.conf', true],
    ['*', 'a', true],
    ['*', '', true],
    ['?', '', false],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['a*b*c', 'axbxbxc', true],
    ['a*b*c', 'axbxbx', false],
    ['a.conf', 'a.conf', true],
    ['a.conf', 'axconf', false],
    ['*'.repeat(40), 'a'.repeat(200), true],
    [`${'*a'.repeat(40)}b`, 'a'.repeat(5000), false],
  ]
  for (const [pattern, path, want] of rows) assert.equal(fits(pattern, path), want, `${pattern} ${path}`)
})
