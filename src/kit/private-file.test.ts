import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { ensurePrivateFile } from './private-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-private-'))
after(() => rmSync(directory, { recursive: true }))

test('a new file is for its owner only', () => {
  const path = join(directory, 'new')
  ensurePrivateFile(path)
  assert.equal(statSync(path).mode & 0o777, 0o600)
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
