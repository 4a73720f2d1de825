import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesHash } from './folders.ts'

test('the hash changes with each input, and with nothing else', t => {
  const root = mkdtempSync(join(tmpdir(), 'sluice-folders-'))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'src/deep'), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  const hash = () => filesHash(root, ['lock.json', 'src'], path => path.endsWith('.ts'))
  write('lock.json', '{}')
  write('src/deep/a.ts', 'one')
  const changes: readonly (() => void)[] = [
    () => write('lock.json', '{"a":1}'),
    () => write('src/deep/a.ts', 'two'),
    () => write('src/b.ts', ''),
    () => renameSync(join(root, 'src/b.ts'), join(root, 'src/c.ts')),
    () => rmSync(join(root, 'src/c.ts')),
  ]
  for (const [at, change] of changes.entries()) {
    const before = hash()
    change()
    assert.notEqual(hash(), before, `change ${at}`)
  }
  const last = hash()
  write('other.json', '{}')
  write('src/deep/a.md', 'text')
  assert.equal(hash(), last)
  assert.throws(() => filesHash(root, ['none'], () => true), /ENOENT.*none/)
})
