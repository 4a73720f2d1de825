import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { ensurePrivateFile } from './private-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-private-'))
const modeOf = (path: string) => statSync(path).mode & 0o777
after(() => rmSync(directory, { recursive: true }))

test('a new file is for its owner only', () => {
  const path = join(directory, 'new')
  ensurePrivateFile(path)
  assert.equal(modeOf(path), 0o600)
})

test('a link gets a target for its owner only', () => {
  const target = join(directory, 'target')
  symlinkSync('target', join(directory, 'inner'))
  symlinkSync(join(directory, 'inner'), join(directory, 'outer'))
  ensurePrivateFile(join(directory, 'outer'))
  assert.equal(modeOf(target), 0o600)
})

test('an existing file is taken from all but its owner', () => {
  const path = join(directory, 'open')
  writeFileSync(path, 'kept')
  chmodSync(path, 0o644)
  ensurePrivateFile(path)
  assert.equal(modeOf(path), 0o600)
  assert.equal(readFileSync(path, 'utf8'), 'kept')
})

test('a file that cannot be created is an error', () => {
  assert.throws(() => ensurePrivateFile(join(directory, 'absent', 'new')), { code: 'ENOENT' })
})

const skip = process.platform === 'linux' ? false : 'needs /proc/locks'

test('the locks of an open database stay', { skip }, () => {
  const path = join(directory, 'some.db')
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; create table some (value)')
  const { ino } = statSync(path)
  const locks = () => {
    const all = readFileSync('/proc/locks', 'latin1').split('\n')
    return all.filter(line => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length
  }
  assert.equal(locks(), 1)
  ensurePrivateFile(path)
  assert.equal(locks(), 1)
  database.close()
})
