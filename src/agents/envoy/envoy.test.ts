import assert from 'node:assert/strict'
import { connect, constants } from 'node:http2'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../edge/testing/fixture.ts'
import { startAgents } from '../testing/agents.ts'
import { ask, received, startEnvoy, without } from '../testing/proxies.ts'
import { encode, Message } from './protobuf.ts'

type Config = Parameters<typeof startEnvoy>[1]

async function start(t: TestContext, file: Config) {
  const agents = await startAgents(t, 'grpc')
  return { ...agents, url: (await startEnvoy(t, file, agents)).url }
}

const skip = without('envoy')

for (const file of ['ext-proc.yaml', 'ext-authz.yaml'] as const) {
  const sees = file === 'ext-proc.yaml'
  test(`Envoy, ${file}: requests pass with changes, or get the page of their rule`, { skip }, async t => {
    const { url, records, edge } = await start(t, file)
    const fine = await ask(url, '/fine?x=1', { headers: { 'Ray-ID': 'forged', Cookie: 'a=1' } })
    assert.equal(fine.status, 200)
    const { headers } = received(fine)
    assert.deepEqual(
      [headers['ray-id'], headers['x-team'], headers['cookie']],
      [records[0]!['RayID'], 'blue', 'a=1'],
    )
    assert.equal(fine.headers.get('x-seen'), sees ? 'by sluice' : null)
    assert.deepEqual(
      ['EdgeResponseStatus', 'WAFFlags', 'ClientRequestURI'].map(field => records[0]![field]),
      [sees ? 200 : 0, sees ? '' : '0x10', '/fine?x=1'],
    )
    if (sees) assert.equal(received(await ask(url, '/old?q=1')).url, '/rewritten?q=1')
    const blocked = await ask(url, '/blocked')
    assert.equal(blocked.status, 403)
    assert.ok(blocked.text.includes(String(records.at(-1)!['RayID'])))
    const teapot = await ask(url, '/teapot')
    assert.deepEqual([teapot.status, teapot.text], [418, 'no coffee'])
    const moved = await ask(url, '/moved')
    assert.deepEqual([moved.status, moved.headers.get('location')], [302, 'https://new.test/'])
    const challenged = await ask(url, '/challenged', { headers: { Accept: 'text/html' } })
    assert.deepEqual([challenged.status, challenged.headers.get('cf-mitigated')], [403, 'challenge'])
    if (sees) {
      assert.equal((await ask(url, '/failing')).status, 403)
      assert.deepEqual(
        [records.at(-1)!['EdgeResponseStatus'], records.at(-1)!['OriginResponseStatus']],
        [403, 500],
      )
      const missing = await ask(url, '/missing')
      assert.deepEqual(
        [missing.status, missing.text, missing.headers.get('x-kept'), missing.headers.get('etag')],
        [410, `gone, ${records.at(-1)!['RayID']}`, 'yes', null],
      )
      assert.deepEqual(
        [missing.headers.get('x-seen'), missing.headers.get('content-type')],
        ['by sluice', 'text/plain; charset=utf-8'],
      )
      assert.deepEqual(
        [records.at(-1)!['EdgeResponseStatus'], records.at(-1)!['OriginResponseStatus']],
        [410, 404],
      )
    }
    const post = (body: string) =>
      ask(url, '/form', { method: 'POST', body, headers: { 'Content-Length': String(body.length) } })
    assert.equal((await post('an attack')).status, 403)
    const long = await post('x'.repeat(1_500_000))
    assert.equal(received(long).bodyBytes, 1_500_000)
    await eventually(() => edge.stats().active === 0)
    assert.equal(records.at(-1)!['WAFFlags'], sees ? '0x2' : '0x12')
    assert.equal(records.length, sees ? 10 : 7)
  })
}

test('Envoy: without an agent, requests are refused', { skip }, async t => {
  const { url, agents } = await start(t, 'ext-proc.yaml')
  assert.equal((await ask(url, '/fine')).status, 200)
  await agents.close()
  assert.ok((await ask(url, '/fine')).status >= 500)
})

test('a connection of Envoy, which resets the stream of each request, stays open', async t => {
  const { agentPort } = await startAgents(t, 'grpc')
  const session = connect(`http://127.0.0.1:${agentPort}`)
  t.after(() => session.destroy())
  const process = {
    ':method': 'POST',
    ':path': '/envoy.service.ext_proc.v3.ExternalProcessor/Process',
    'content-type': 'application/grpc',
  }
  for (let round = 0; round < 30; round++) {
    const streams = Array.from({ length: 50 }, () => session.request(process).on('error', () => {}))
    await sleep(5)
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL)
    await sleep(5)
    assert.equal(session.destroyed, false, `after ${50 * round} requests`)
  }
})

test('messages of Protocol Buffers are read back; broken ones are refused', () => {
  const bytes = encode([
    [1, 300],
    [2, 'text'],
    [3, undefined],
    [20, encode([[1, 1]])],
    [20, encode([[1, 2]])],
  ])
  const message = new Message(bytes)
  assert.deepEqual([message.number(1), message.text(2), message.has(3)], [300, 'text', false])
  assert.deepEqual(
    message.messages(20).map(one => one.number(1)),
    [1, 2],
  )
  for (const hex of ['08', '0a05', '0b', '08ffffffffffffffffffff01'])
    assert.throws(() => new Message(Buffer.from(hex, 'hex')))
})
