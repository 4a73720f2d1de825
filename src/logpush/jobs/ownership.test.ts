import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkDestination, destinationNeedsOwnership } from '../sinks/destination.ts'
import { onThisMachine } from '../testing/destinations.ts'
import { issueOwnership, verifyOwnership } from './ownership.ts'

let nowMs = Date.UTC(2026, 4, 1)
const owner = { scope: 'zone', id: 'a'.repeat(32), key: 'key', clock: { nowMs: () => nowMs } } as const

test('a challenge proves one destination to one owner for seven days', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-owner-'))
  const destination = `file://${folder}/{DATE}`
  const issued = await issueOwnership(destination, owner, onThisMachine)
  assert.deepEqual(issued, {
    filename: `${folder}/20260501/ownership-challenge.txt`,
    valid: true,
    message: '',
  })
  const written = join(
    folder,
    `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`,
    'ownership-challenge.txt',
  )
  const token = await readFile(written, 'utf8').catch(() => readFile(issued.filename, 'utf8'))
  assert.match(token, /^[A-Za-z0-9/+._-]+$/)
  assert.ok(verifyOwnership(`${token}\n`, destination, owner))
  assert.ok(!verifyOwnership(token, `${destination}/other`, owner))
  assert.ok(!verifyOwnership(token, destination, { ...owner, id: 'b'.repeat(32) }))
  assert.ok(!verifyOwnership(token, destination, { ...owner, scope: 'account' }))
  assert.ok(!verifyOwnership(token, destination, { ...owner, key: 'other' }))
  assert.ok(!verifyOwnership(`${token.slice(0, -2)}xx`, destination, owner))
  assert.ok(!verifyOwnership('nonsense', destination, owner))
  nowMs += 7 * 24 * 3600 * 1000 - 1000
  assert.ok(verifyOwnership(token, destination, owner))
  nowMs += 1000
  assert.ok(!verifyOwnership(token, destination, owner))
})

test('only destinations without credentials need the challenge', () => {
  assert.ok(destinationNeedsOwnership('s3://bucket/logs?region=us-east-1'))
  assert.ok(
    !destinationNeedsOwnership('s3://bucket/logs?region=us-east-1&access-key-id=a&secret-access-key=b'),
  )
  assert.ok(!destinationNeedsOwnership('file:./logs'))
})

test('a destination that cannot be written is reported in words', async () => {
  const good = await checkDestination(
    `file://${await mkdtemp(join(tmpdir(), 'sluice-check-'))}`,
    onThisMachine,
  )
  assert.deepEqual(good, { valid: true, message: '' })
  const bad = await checkDestination('file:///proc/nowhere', { reach: 'public', directory: '/' })
  assert.equal(bad.valid, false)
  assert.match(
    bad.message,
    /error validating destination: error writing object: proc\/nowhere.* cannot be written/,
  )
})
