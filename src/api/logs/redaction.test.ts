import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let path: string
before(async () => {
  api = await openTestApi()
  path = `${api.zonePath}/logs/control/redaction`
})
after(() => api.close())

const everything = {
  authorization: true,
  cookies: true,
  query_credentials: true,
  card_numbers: true,
  query_parameters: [],
}

test('redaction removes everything by default', async () => {
  assert.deepEqual((await api.send('GET', path)).body.result, everything)
  assert.equal(await api.store.redaction.get(api.zoneId), undefined)
})

test('a change affects only its members', async () => {
  let want: object = everything
  for (const [change, becomes] of [
    [{}, {}],
    [{ cookies: false }, { cookies: false }],
    [{ query_parameters: ['Session', 'email', 'SESSION'] }, { query_parameters: ['session', 'email'] }],
    [
      { authorization: false, card_numbers: false },
      { authorization: false, card_numbers: false },
    ],
    [
      { query_parameters: [], query_credentials: false },
      { query_parameters: [], query_credentials: false },
    ],
    [{ cookies: true }, { cookies: true }],
  ]) {
    const before = want
    want = { ...want, ...becomes }
    const { status, body } = await api.send('PUT', path, change)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.result, want)
    assert.deepEqual((await api.send('GET', path)).body.result, want)
    const { body: trail } = await api.send('GET', `/accounts/${api.accountId}/audit_logs?per_page=1`)
    const [entry] = trail.result
    assert.deepEqual(entry.resource, { id: api.zoneId, type: 'log_redaction' })
    assert.deepEqual([entry.oldValueJson, entry.newValueJson], [before, want])
  }
  assert.deepEqual(await api.store.redaction.get(api.zoneId), {
    authorization: false,
    cookies: true,
    queryCredentials: false,
    cardNumbers: false,
    queryParameters: [],
  })
})

test('names are limited in number and length', async () => {
  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => String(at).padStart(length, 'x'))
  for (const [query_parameters, status] of [
    [names(100, 128), 200],
    [names(101, 3), 400],
    [names(1, 129), 400],
    [[''], 400],
    [[7], 400],
    ['session', 400],
    [null, 400],
  ] as const)
    assert.equal((await api.send('PUT', path, { query_parameters })).status, status)
})

test('unknown settings are refused', async () => {
  for (const [body, pointer] of [
    [{ cookies: 'no' }, '/cookies'],
    [{ cookies: null }, '/cookies'],
    [{ passwords: true }, '/passwords'],
    [[], ''],
  ] as const) {
    const answer = await api.send('PUT', path, body)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.errors[0].source?.pointer ?? '', pointer)
  }
})
