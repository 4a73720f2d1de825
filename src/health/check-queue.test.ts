import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMonitor, aPool } from '../store/testing/data.ts'
import { CheckQueue } from './check-queue.ts'
import { CheckedOrigin } from './checked-origin.ts'

function originOf(accountId: string): CheckedOrigin {
  const pool = aPool(accountId, {})
  return new CheckedOrigin(pool, { origin: pool.origins[0]!, monitor: aMonitor(accountId, {}) })
}

test('the account with the fewest running checks is next, and none has more than what remains free', () => {
  const queue = new CheckQueue(8)
  const running: (() => void)[] = []
  const begun = () => {
    let accounts = ''
    for (let next = queue.next(); next !== undefined; next = queue.next()) {
      accounts += next.origin.pool.accountId
      running.push(next.ended)
    }
    return accounts
  }
  for (let n = 0; n < 20; n++) queue.add(originOf('a'))
  assert.equal(begun(), 'aaaa')
  for (let n = 0; n < 4; n++) for (const account of ['b', 'c']) queue.add(originOf(account))
  assert.equal(begun(), 'bcb')
  const late = originOf('d')
  queue.add(late)
  assert.equal(begun(), 'd')
  queue.add(late)
  running[0]!()
  assert.equal(begun(), '', 'd has one, and so has what remains free')
  queue.delete(late)
  for (const end of running.slice(1)) end()
  assert.equal(begun(), 'acbacb', 'in turn')
})
