import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkDestination, destinationNeedsOwnership } from '../sinks/destination.ts'
import { onThisMachine } from '../testing/destinations.ts'
import { issueOwnership, ownershipFault } from './ownership.ts'

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
  assert.equal(ownershipFault(`${token}\n`, destination, owner), undefined)
  assert.match(ownershipFault(token, `${destination}/other`, owner)!, /another destination_conf/)
  assert.match(
    ownershipFault(token, destination, { ...owner, id: 'b'.repeat(32) })!,
    /another account or zone/,
  )
  assert.match(ownershipFault(token, destination, { ...owner, scope: 'account' })!, /another account or zone/)
  assert.match(ownershipFault(token, destination, { ...owner, key: 'other' })!, /not the text/)
  assert.match(ownershipFault(`${token.slice(0, -2)}xx`, destination, owner)!, /not the text/)
  assert.match(ownershipFault('nonsense', destination, owner)!, /not the text/)
  assert.match(ownershipFault(' ', destination, owner)!, /missing/)
  nowMs += 7 * 24 * 3600 * 1000 - 1000
  assert.equal(ownershipFault(token, destination, owner), undefined)
  nowMs += 1000
  assert.match(ownershipFault(token, destination, owner)!, /expired/)
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
