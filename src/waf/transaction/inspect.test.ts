import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { program } from '../testing/requests.ts'
import type { InspectedBody, InspectedRequest } from '../types.ts'

const rules = program(`
  SecRule REQUEST_URI "@contains refused" "id:1,phase:1,deny,status:403"
  SecRule ARGS "@contains attack" "id:2,phase:2,pass,severity:CRITICAL,tag:'paranoia-level/1',msg:'attack'"
  SecRule REQUEST_HEADERS:X-Test "@contains attack" "id:3,phase:1,pass,severity:WARNING,tag:'paranoia-level/2'"
  SecRule ARGS:stop "@streq now" "id:4,phase:2,drop"
  SecAction "id:5,phase:5,pass,msg:'end'"`)

const form: readonly (readonly [string, string])[] = [['Content-Type', 'application/x-www-form-urlencoded']]

function request(parts: Partial<InspectedRequest> = {}): InspectedRequest {
  return { clientIp: '192.0.2.1', method: 'POST', target: '/', headers: form, ...parts }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A source that records the parts taken from it. */
function source(parts: readonly Uint8Array[]): AsyncIterable<Uint8Array> & { taken: number; left: boolean } {
  const state = { taken: 0, left: false }
  async function* give() {
    try {
      for (const part of parts) {
        state.taken++
        yield part
      }
    } finally {
      state.left = true
    }
  }
  return Object.assign(state, { [Symbol.asyncIterator]: give })
}

const ids = (matches: readonly { readonly rule: { readonly id: number } }[]): readonly number[] =>
  matches.map(match => match.rule.id)

test('address and headers are inspected, in any form of the headers', async () => {
  const forms: readonly InspectedRequest['headers'][] = [
    [['X-Test', 'attack']],
    new Headers({ 'X-Test': 'attack' }),
    new Map([['X-Test', 'attack']]),
  ]
  for (const headers of forms) {
    const inspection = await rules.inspect(request({ method: 'GET', target: '/?q=attack', headers }))
    assert.deepEqual(ids(inspection.matches), [3, 2, 5])
    assert.equal(inspection.requestScore, 8)
    assert.equal(inspection.interruption, undefined)
    assert.equal(inspection.overBudget, false)
  }
})

test('a body is inspected in any form', async () => {
  const text = 'a=1&q=an+attack'
  const all = bytes(text)
  const forms: readonly InspectedBody[] = [
    text,
    all,
    Buffer.from(text),
    source([all.subarray(0, 9), new Uint8Array(0), all.subarray(9)]),
    Readable.from([Buffer.from(text)]),
    new Blob([text]).stream(),
    new Request('http://site.test/', { method: 'POST', body: text }).body!,
  ]
  for (const body of forms) {
    const { matches, bodyBytes, bodyComplete } = await rules.inspect(request({ body }))
    assert.deepEqual(
      matches.map(match => match.target),
      ['ARGS:q', ''],
    )
    assert.equal(bodyBytes, text.length)
    assert.equal(bodyComplete, true)
  }
})

test('a text is encoded as UTF-8', async () => {
  const echo = program(`SecRule ARGS:q "@rx ^\\xc3\\xa9$" "id:1,phase:2,pass"`)
  assert.deepEqual(ids((await echo.inspect(request({ body: 'q=é' }))).matches), [1])
})

test('without a mask all rules are on', async () => {
  const attack = request({ target: '/?q=attack', headers: [['X-Test', 'attack']] })
  assert.equal((await rules.inspect(attack)).requestScore, 8)
  assert.equal(
    (
      await rules.inspect(
        attack,
        rules.mask(rule => rule.paranoiaLevel > 1),
      )
    ).requestScore,
    5,
  )
  assert.equal(
    (
      await rules.inspect(
        attack,
        rules.mask(() => true),
      )
    ).requestScore,
    0,
  )
})

test('absent properties have plain defaults', async () => {
  const echo = program(`
    SecRule REQUEST_PROTOCOL "@streq HTTP/1.1" "id:1,phase:1,pass"
    SecRule REMOTE_PORT "@eq 0" "id:2,phase:1,pass"
    SecRule SERVER_PORT "@eq 80" "id:3,phase:1,pass"
    SecRule UNIQUE_ID "@rx ." "id:4,phase:1,pass,logdata:'%{UNIQUE_ID}'"
    SecRule TIME_EPOCH "@gt 1700000000" "id:5,phase:1,pass"`)
  const first = await echo.inspect(request())
  const second = await echo.inspect(request())
  assert.deepEqual(ids(first.matches), [1, 2, 3, 4, 5])
  assert.notEqual(first.matches[3]!.data, second.matches[3]!.data)
  const said = { protocol: 'HTTP/1.0', clientPort: 1, serverPort: 81, uniqueId: 'mine', startedMs: 1000 }
  const { matches } = await echo.inspect(request(said))
  assert.deepEqual(ids(matches), [4])
  assert.equal(matches[0]!.data, 'mine')
})

test('an interruption before the body leaves the body unread, and logging still runs', async () => {
  const body = source([bytes('q=attack')])
  const inspection = await rules.inspect(request({ target: '/refused', body }))
  assert.deepEqual(inspection.interruption, { ruleId: 1, action: 'deny', status: 403 })
  assert.deepEqual(ids(inspection.matches), [1, 5])
  assert.equal(body.taken, 0)
})

test('an interruption after the body', async () => {
  const { interruption } = await rules.inspect(request({ body: 'stop=now' }))
  assert.equal(interruption?.action, 'drop')
})

test('a body that no rule needs is left unread', async () => {
  const body = source([bytes('q=attack')])
  const blind = program(`SecRequestBodyAccess Off\nSecRule ARGS "@contains attack" "id:1,phase:2,pass"`)
  const { bodyBytes, matches } = await blind.inspect(request({ body }))
  assert.deepEqual([bodyBytes, matches.length, body.taken], [0, 0, 0])
})

test('reading stops once the rules have seen enough', async () => {
  const limited = program(`
    SecRequestBodyNoFilesLimit 20
    SecRequestBodyLimitAction ProcessPartial
    SecRule ARGS "@contains attack" "id:1,phase:2,pass"`)
  const part = bytes('a=1&b=2&c3')
  const rows = [
    {
      name: 'one byte short',
      parts: [part, part.subarray(1), bytes('')],
      bytes: 19,
      complete: true,
      taken: 3,
    },
    { name: 'to the byte', parts: [part, part, bytes('')], bytes: 20, complete: true, taken: 3 },
    {
      name: 'one byte over',
      parts: [part, part, bytes('x'), bytes('y')],
      bytes: 20,
      complete: false,
      taken: 3,
    },
    { name: 'in one part', parts: [bytes('x'.repeat(30)), bytes('y')], bytes: 20, complete: false, taken: 1 },
  ]
  for (const { name, parts, bytes, complete, taken } of rows) {
    const body = source(parts)
    const { bodyBytes, bodyComplete } = await limited.inspect(request({ body }))
    assert.deepEqual([bodyBytes, bodyComplete, body.taken, body.left], [bytes, complete, taken, true], name)
  }
  const beyond = await limited.inspect(request({ body: `${'x'.repeat(20)}&q=attack` }))
  assert.deepEqual(beyond.matches, [])
})

test('a body beyond the limit is refused if the rules demand it', async () => {
  const strict = program(`
    SecRequestBodyNoFilesLimit 20
    SecRequestBodyLimitAction Reject
    SecRule ARGS "@contains attack" "id:1,phase:2,pass"`)
  const { interruption } = await strict.inspect(request({ body: source([bytes('x'.repeat(21))]) }))
  assert.deepEqual(interruption, { ruleId: 0, action: 'deny', status: 413 })
  assert.equal((await strict.inspect(request({ body: 'x'.repeat(20) }))).interruption, undefined)
})

test('of two branches of a stream one is inspected and the other gives the whole body', async () => {
  const limited = program(`
    SecRequestBodyNoFilesLimit 100
    SecRequestBodyLimitAction ProcessPartial
    SecRule ARGS "@contains attack" "id:1,phase:2,pass"`)
  const text = `q=attack&rest=${'x'.repeat(300_000)}`
  const incoming = new Request('http://site.test/', {
    method: 'POST',
    body: new Blob([text]).stream(),
    duplex: 'half',
  })
  const { matches, bodyComplete } = await limited.inspect(request({ body: incoming.clone().body! }))
  assert.deepEqual([ids(matches), bodyComplete], [[1], false])
  assert.equal(await incoming.text(), text)
})

test('long parts are read in slices with turns of others in between', async () => {
  const text = `q=attack&${'x=some+ordinary+text&'.repeat(20_000)}`
  const events: string[] = []
  const inspected = rules.inspect(request({ body: text })).then(inspection => {
    events.push('inspected')
    return inspection
  })
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(resolve => setImmediate(resolve))
    events.push('turn')
  }
  assert.deepEqual(events, ['turn', 'turn', 'turn'])
  assert.equal((await inspected).bodyBytes, text.length)
})

test('many short parts that are already there are read in the same way', async () => {
  const parts = source(Array.from({ length: 10_000 }, (_, index) => bytes(`a${index}=ordinary&`)))
  const inspected = rules.inspect(request({ body: parts }))
  await new Promise(resolve => setImmediate(resolve))
  assert.ok(parts.taken > 0 && parts.taken < 10_000, `${parts.taken} parts`)
  assert.equal((await inspected).bodyComplete, true)
})

test("errors of the body's source are passed on", async () => {
  async function* broken() {
    yield bytes('q=attack')
    throw new Error('the client has gone')
  }
  await assert.rejects(rules.inspect(request({ body: broken() })), /the client has gone/)
  const stream = new ReadableStream<Uint8Array>({ pull: controller => controller.error(new Error('gone')) })
  await assert.rejects(rules.inspect(request({ body: stream })), /gone/)
})

test('a part that is not of bytes is refused, not skipped', async () => {
  const parts: readonly unknown[] = [
    'q=attack',
    ['q=attack'],
    new DataView(new ArrayBuffer(8)),
    new Int16Array(4),
    7,
  ]
  for (const part of parts) {
    const body = source([part as Uint8Array])
    await assert.rejects(rules.inspect(request({ body })), TypeError)
  }
  await assert.rejects(rules.inspect(request({ body: { q: 'attack' } as unknown as Uint8Array })), TypeError)
})

test('a used-up budget is reported', async () => {
  const frugal = program(`SecRule ARGS "@contains attack" "id:1,phase:2,pass"`, { workMax: 10 })
  assert.equal((await frugal.inspect(request({ body: `q=${'x'.repeat(1000)}` }))).overBudget, true)
})

test('a multipart field is limited like a form, files beside it are not', async () => {
  const form = (action: string) =>
    program(`
    SecRequestBodyLimit 1000
    SecRequestBodyNoFilesLimit 100
    SecRequestBodyLimitAction ${action}
    SecRule ARGS:a|FILES_SIZES "@unconditionalMatch" "id:1,phase:2,pass,msg:'%{MATCHED_VAR}'"`)
  const parts = (bytes: number, filename = '') => {
    const head = `--B\r\nContent-Disposition: form-data; name="a"${filename}`
    return {
      headers: [['Content-Type', 'multipart/form-data; boundary=B']] as const,
      body: `${head}\r\n\r\n${'x'.repeat(bytes)}\r\n--B--\r\n`,
    }
  }
  const partial = await form('ProcessPartial').inspect(request(parts(200)))
  assert.equal(partial.bodyComplete, false)
  assert.equal(partial.matches[0]?.message, 'x'.repeat(100))
  const refused = await form('Reject').inspect(request(parts(200)))
  assert.deepEqual([refused.interruption?.ruleId, refused.interruption?.status], [0, 413])
  const file = await form('Reject').inspect(request(parts(200, '; filename="f"')))
  assert.deepEqual([file.interruption, file.bodyComplete], [undefined, true])
  const unnamed = await form('Reject').inspect(request(parts(200, '; filename=""')))
  assert.equal(unnamed.interruption?.status, 413)
})
