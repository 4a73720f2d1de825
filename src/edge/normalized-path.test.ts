import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizedPath } from './normalized-path.ts'

test('normalised paths', () => {
  for (const [path, want] of [
    ['/', '/'],
    ['/a/b.c', '/a/b.c'],
    ['*', '*'],
    ['', ''],
    ['/%61%2D%2e%5F%7e%41', '/a-._~A'],
    ['/%2f%3f%c3%a9', '/%2F%3F%C3%A9'],
    ['/%', '/%'],
    ['/%4', '/%4'],
    ['/%zz%6', '/%zz%6'],
    ['/%2561', '/%2561'],
    ['/%%361', '/%61'],
    ['//a///b//', '/a/b/'],
    ['\\a\\b', '/a/b'],
    ['/a\\..\\b', '/b'],
    ['/%5c', '/%5C'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/a/b/..', '/a/'],
    ['/a/b/.', '/a/b/'],
    ['/a/..', '/'],
    ['/../../a', '/a'],
    ['/a/%2e%2E/b', '/b'],
    ['/..a/.b/...', '/..a/.b/...'],
    ['//', '/'],
    ['/a//../b', '/b'],
    ['/\xe9', '/\xe9'],
  ] as const) {
    assert.equal(normalizedPath(path), want, path)
    // One round of decoding may leave an escape that was none before.
    if (path !== '/%%361') assert.equal(normalizedPath(want), want, `${path} again`)
  }
})
