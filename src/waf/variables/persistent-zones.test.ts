import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEnd } from '../steps.ts'
import { program, wafRequest } from '../testing/requests.ts'

test('persistent collections belong to a zone', async () => {
  const rules = program(`SecAction "id:1,phase:1,nolog,pass,initcol:ip=%{REMOTE_ADDR},initcol:global=all,\\
    setvar:ip.seen=+1,setvar:global.seen=+1"
    SecAction "id:2,phase:1,pass,msg:'%{ip.seen} %{global.seen}'"`)
  const seen = (zone: string | undefined) => {
    const transaction = rules.begin(
      { ...wafRequest({}), zone },
      rules.mask(() => false),
    )
    toEnd(transaction.requestHeaders())
    return transaction.matches[0]?.message
  }
  assert.deepEqual(
    [seen('a'), seen('a'), seen('b'), seen(undefined), seen('a')],
    ['1 1', '2 2', '1 1', '1 1', '3 3'],
  )
  const inspected = await rules.inspect({
    clientIp: '192.0.2.1',
    method: 'GET',
    target: '/',
    headers: [],
    startedMs: 1_000_000,
    zone: 'b',
  })
  assert.equal(inspected.matches[0]?.message, '2 2')
})
