import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { compile, type Transaction } from '../../waf/index.ts'
import { inSlices } from '../exchange/slices.ts'
import { ClientBodyError } from '../message/body-source.ts'

/** All work on one long value pauses, and stops when the client has left. */

const megabyte = 1 << 20

interface Row {
  readonly name: string
  readonly rules: string
  /** The value repeats it. */
  readonly unit: string
}

const rows: readonly Row[] = [
  { name: '@detectSQLi', rules: 'SecRule ARGS "@detectSQLi" "id:1,phase:2"', unit: '1, ' },
  { name: '@detectXSS', rules: 'SecRule ARGS "@detectXSS" "id:1,phase:2"', unit: '<a b=c ' },
  { name: '@pm', rules: 'SecRule ARGS "@pm attack evil" "id:1,phase:2"', unit: 'attac evi' },
  { name: '@rx', rules: 'SecRule ARGS "@rx k1[a-z]" "id:1,phase:2"', unit: 'attack1 ' },
  ...['urlDecodeUni', 'htmlEntityDecode', 'jsDecode', 'cssDecode', 'removeNulls', 'normalizePathWin'].map(
    (name): Row => ({
      name: `t:${name}`,
      rules: `SecRule ARGS "@contains attack!" "id:1,phase:2,t:${name}"`,
      unit: '/../%2541 \\x41 &lt; \0 attack ',
    }),
  ),
  {
    name: 'the second rule of a chain',
    rules: 'SecRule ARGS "@contains attac" "id:1,phase:2,chain"\nSecRule ARGS "@detectSQLi" "t:urlDecodeUni"',
    unit: '1, attac%2541 ',
  },
  {
    name: 'captures that a chain reads',
    rules: 'SecRule ARGS "@rx (a.*)" "id:1,phase:2,capture,chain"\nSecRule TX:1 "@contains attack!"',
    unit: 'ba',
  },
]

/** A rule that costs only the prefilter, which all rules share. */
const quick = 'SecRule ARGS "@contains attack!" "id:1,phase:2"'

/** Every look at the clock ends the slice. */
function slowClock(context: TestContext): void {
  let now = 1
  context.mock.method(performance, 'now', () => (now += 5))
}

function begin({ rules, unit }: Row): Transaction {
  const outcome = compile(
    [{ name: 'test.conf', text: `SecRuleEngine On\nSecRequestBodyAccess On\n${rules}` }],
    {
      readData: () => undefined,
    },
  )
  assert.ok(outcome.ok, rules)
  const transaction = outcome.value.begin(
    {
      clientIp: '192.0.2.1',
      clientPort: 40_000,
      serverPort: 443,
      method: 'POST',
      target: '/',
      protocol: 'HTTP/1.1',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      uniqueId: 'unique',
      startedMs: 1_000_000,
    },
    outcome.value.mask(() => false),
  )
  for (const _ of transaction.requestHeaders());
  const value = encodeURIComponent(unit)
    .repeat(megabyte / unit.length)
    .slice(0, megabyte - 2)
  transaction.addRequestBody(Buffer.from(`a=${value}`))
  return transaction
}

for (const row of rows) {
  test(`${row.name}: pauses, and stops when the client has left`, async context => {
    slowClock(context)
    const whole = [...begin(row).requestBody(true)].length
    const plain = [...begin({ ...row, rules: quick }).requestBody(true)].length
    assert.ok(whole >= plain + 20, `${whole} pauses, ${plain} of them in the look at the bytes`)

    const client = { zoneId: '', client: '', hasLeft: false }
    let slices = 0
    const work = begin(row).requestBody(true)
    const counted = (function* () {
      for (;;) {
        const step = work.next()
        if (step.done === true) return step.value
        if (++slices === whole - 3) client.hasLeft = true
        try {
          yield
        } finally {
          if (client.hasLeft) work.return(undefined)
        }
      }
    })()
    await assert.rejects(inSlices(counted, client) as Promise<unknown>, ClientBodyError)
    assert.equal(slices, whole - 3)
    assert.equal(work.next().done, true)
  })
}

test('the captures of a match are computed in slices', async context => {
  slowClock(context)
  const transaction = begin({
    name: '',
    rules: `SecRule ARGS "@rx (a.*)c" "id:1,phase:2,capture,logdata:'%{TX.1}'"`,
    unit: 'abc',
  })
  for (const _ of transaction.requestBody(true));
  const pauses = [...transaction.workOutData()].length
  assert.ok(pauses >= 60, `${pauses} pauses`)
  const { data, value } = transaction.matches[0]!
  assert.equal(data, value.slice(0, value.lastIndexOf('c')))
})
