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
    ['/\xe9', '/%E9'],
    ['/a|"b', '/a%7C%22b'],
    ["/:?#[]@!$&'()*+,;=", "/:?#[]@!$&'()*+,;="],
  ] as const) {
    assert.equal(normalizedPath(path, 'cloudflare'), want, path)
    // One round of decoding may leave an escape that was none before.
    if (path !== '/%%361') assert.equal(normalizedPath(want, 'cloudflare'), want, `${path} again`)
  }
})

test('normalised strictly by RFC 3986', () => {
  for (const [path, want] of [
    ['/%61//b', '/a//b'],
    ['/pa\\th', '/pa%5Cth'],
    ['/a//../b', '/a/b'],
    ['/a/./b/..', '/a/'],
    ['//..', '/'],
    ['*', '*'],
  ] as const)
    assert.equal(normalizedPath(path, 'rfc3986'), want, path)
})

test('a path of any length is normalised in one go', () => {
  for (const unit of ['/', '/.', '/..', '%2e', '\\', '/a/..', '%', '\xff']) {
    const path = `/${unit.repeat(20_000)}`
    for (const type of ['cloudflare', 'rfc3986'] as const)
      assert.ok(normalizedPath(path, type).startsWith('/'), unit)
  }
})
