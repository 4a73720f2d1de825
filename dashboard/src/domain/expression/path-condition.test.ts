import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathCondition } from './path-condition.ts'

test('a recorded path matches as rules see it', () => {
  for (const [path, field] of [
    ['/admin', 'http'],
    ['/a/b.c~d', 'http'],
    ['/%61dmin', 'raw.http'],
    ['//admin', 'raw.http'],
    ['/./admin', 'raw.http'],
    ['/a\\b"', 'raw.http'],
    ['/caf\u00e9', 'raw.http'],
  ] as const)
    assert.equal(
      pathCondition(path),
      `${field}.request.uri.path eq "${path.replace('\\', '\\\\').replace('"', '\\"')}"`,
    )
})
