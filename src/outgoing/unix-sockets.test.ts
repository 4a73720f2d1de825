import assert from 'node:assert/strict'
import { test } from 'node:test'
import { socketProblem } from './unix-sockets.ts'

test('which unix sockets an origin may be at', () => {
  const allowed = ['/run/app.sock', '/run/sites', '/srv/']
  const rows: [path: string, isAllowed: boolean][] = [
    ['/run/app.sock', true],
    ['/run/sites/a.sock', true],
    ['/run/sites/deep/a.sock', true],
    ['/srv/a.sock', true],
    ['/run/app.sock2', false],
    ['/run/sites2/a.sock', false],
    ['/run/docker.sock', false],
    ['/run/sites/../docker.sock', false],
    ['/run/sites//a.sock', false],
    ['/run/sites/./a.sock', false],
    ['run/sites/a.sock', false],
    ['/run/sites/a\0.sock', false],
    ['', false],
  ]
  for (const [path, isAllowed] of rows) {
    assert.equal(socketProblem(path, allowed) === undefined, isAllowed, path)
    assert.match(socketProblem(path, [])!.message, /SLUICE_ORIGIN_SOCKETS/)
  }
})
