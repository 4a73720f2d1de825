import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../edge/testing/fixture.ts'
import { startAgents } from '../testing/agents.ts'
import { ask, received, startHaproxy, without } from '../testing/proxies.ts'

const skip = without('haproxy')

test('HAProxy: requests pass with changes, or get the page of their rule', { skip }, async t => {
  const agents = await startAgents(t, 'spoe')
  const { url } = await startHaproxy(t, agents)
  const { records } = agents
  const fine = await ask(url, '/fine?x=1', { headers: { 'Ray-ID': 'forged', Cookie: 'a=1' } })
  assert.equal(fine.status, 200)
  const { headers } = received(fine)
  assert.deepEqual(
    [headers['ray-id'], headers['x-team'], headers['cookie']],
    [records[0]!['RayID'], 'blue', 'a=1'],
  )
  assert.deepEqual(
    [fine.headers.get('x-seen'), fine.headers.get('ray-id')],
    ['by sluice', records[0]!['RayID']],
  )
  assert.deepEqual(
    ['ClientIP', 'EdgeResponseStatus', 'OriginResponseStatus', 'WAFFlags', 'ClientRequestURI'].map(
      field => records[0]![field],
    ),
    ['127.0.0.1', 200, 200, '', '/fine?x=1'],
  )
  assert.equal(received(await ask(url, '/old?q=1')).url, '/rewritten?q=1')
  const blocked = await ask(url, '/blocked')
  assert.equal(blocked.status, 403)
  assert.ok(blocked.text.includes(String(records[2]!['RayID'])))
  const teapot = await ask(url, '/teapot')
  assert.deepEqual([teapot.status, teapot.text], [418, 'no coffee'])
  const moved = await ask(url, '/moved')
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, 'https://new.test/'])
  const challenged = await ask(url, '/challenged', { headers: { Accept: 'text/html' } })
  assert.deepEqual([challenged.status, challenged.headers.get('cf-mitigated')], [403, 'challenge'])
  assert.match(challenged.text, /<script>/)
  const failing = await ask(url, '/failing')
  assert.equal(failing.status, 403)
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
  assert.equal(records.length, 8)
  await eventually(() => agents.edge.stats().active === 0)
})

test('HAProxy: bodies are inspected up to the buffer, and the record says when one was cut', {
  skip,
}, async t => {
  const agents = await startAgents(t, 'spoe')
  const { url } = await startHaproxy(t, agents)
  const post = async (body: string, framing: Record<string, string>) => {
    const { status } = await ask(url, '/form', { method: 'POST', body, headers: framing })
    return [status, agents.records.at(-1)!['WAFFlags']]
  }
  const length = (body: string) => ({ 'Content-Length': String(body.length) })
  const chunked = { 'Transfer-Encoding': 'chunked' }
  assert.deepEqual(await post('an attack', length('an attack')), [403, ''])
  assert.deepEqual(await post('an attack', chunked), [403, ''])
  const late = `${'x'.repeat(100_000)} attack`
  assert.deepEqual(await post(late, length(late)), [403, ''])
  for (const bytes of [126_000, 128_500, 129_900, 131_000, 200_000]) {
    const body = 'x'.repeat(bytes)
    const [status, flags] = await post(body, length(body))
    assert.equal(status, 200, `${bytes} bytes`)
    if (bytes > 131_072) assert.equal(flags, '0x2')
  }
  const long = 'x'.repeat(300_000)
  assert.deepEqual(await post(long, chunked), [200, '0x2'])
})

test('HAProxy: many requests at once each have one record', { skip }, async t => {
  const agents = await startAgents(t, 'spoe')
  const { url } = await startHaproxy(t, agents)
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => ask(url, at % 2 === 0 ? `/fine?${at}` : '/blocked')),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, at) => (at % 2 === 0 ? 200 : 403)),
  )
  await eventually(() => agents.records.length === 200)
  assert.equal(new Set(agents.records.map(record => record['RayID'])).size, 200)
})

test('HAProxy: without an agent, requests are refused', { skip }, async t => {
  const agents = await startAgents(t, 'spoe')
  const { url } = await startHaproxy(t, agents, '2s')
  assert.equal((await ask(url, '/fine')).status, 200)
  await agents.agents.close()
  assert.equal((await ask(url, '/fine')).status, 503)
})
