import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSumo } from '../../../../test/support/receivers/intakes.ts'
import { issueOwnership, ownershipFault } from '../../jobs/ownership.ts'
import { aBatch, deliverTo, someLines } from '../../testing/batch.ts'
import { onThisMachine } from '../../testing/destinations.ts'
import { checkDestination } from '../destination.ts'

const token = 'ZaVnC4dhaV3-secret-source-token=='

test('lines are sent in requests of at most 1 MB', async t => {
  const sumo = await startSumo(t, token)
  const lines = someLines(30, 100_000)
  await deliverTo(`sumo://${sumo.host}/receiver/v1/http/${token}`, aBatch(lines))
  assert.equal(sumo.requests.length, 4)
  assert.deepEqual(
    sumo.taken,
    lines.map(line => JSON.parse(line)),
  )
})

test('the ownership challenge arrives as a message', async t => {
  const sumo = await startSumo(t, token)
  const destination = `sumo://${sumo.host}/receiver/v1/http/${token}`
  const owner = { scope: 'zone', id: 'z', key: 'k', clock: { nowMs: () => Date.now() } } as const
  const issued = await issueOwnership(destination, owner, onThisMachine)
  assert.deepEqual(issued, { filename: 'ownership-challenge.txt', valid: true, message: '' })
  const [{ content }] = sumo.taken as [{ content: string }]
  assert.equal(ownershipFault(content, destination, owner), undefined)
})

test('a wrong token is reported, and not shown', async t => {
  const sumo = await startSumo(t, token)
  const { message } = await checkDestination(
    `sumo://${sumo.host}/receiver/v1/http/wrong-token-of-a-source`,
    onThisMachine,
  )
  assert.match(
    message,
    /answered 401, the token in the address does not belong to a source.*failed step: authenticate/,
  )
  assert.doesNotMatch(message, /wrong-token/)
})
