import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { RecordLogError } from '../../bus/index.ts'
import { StoreError } from '../../store/index.ts'
import { openTestApi, type TestApi, token } from '../testing/test-api.ts'
import { apiErrors, type ErrorName } from './errors.ts'
import { apiLimits } from './limits.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const authorization = `Bearer ${token}`

async function post(payload: string | Buffer, type?: string) {
  const headers = { authorization, ...(type === undefined ? {} : { 'content-type': type }) }
  const answer = await api.app.inject({ method: 'POST', url: '/client/v4/zones', headers, payload })
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  return { status: answer.statusCode, ...answer.json() }
}

test('unreadable bodies are refused in the envelope', async t => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const rows: [name: string, body: string | Buffer, type: string | undefined, error: ErrorName][] = [
    ['malformed', '{"name": }', 'application/json', 'malformedJson'],
    ['not UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), 'application/json', 'notUtf8'],
    ['too deep', nested(apiLimits.jsonDepthMax + 1), 'application/json', 'tooDeep'],
    ['as deep as allowed', nested(apiLimits.jsonDepthMax), 'application/json', 'wrongType'],
    ['XML', '<zone/>', 'application/xml', 'badContentType'],
    ['no type at all', '{}', 'nonsense', 'badContentType'],
    ['one byte too large', ' '.repeat(apiLimits.apiBodyBytesMax + 1), 'application/json', 'bodyTooLarge'],
    ['as large as allowed', ' '.repeat(apiLimits.apiBodyBytesMax), 'application/json', 'wrongType'],
    ['empty', '', 'application/json', 'wrongType'],
    ['a form from curl', '{}', 'application/x-www-form-urlencoded', 'missingField'],
    ['JSON by another name', '{}', 'application/merge-patch+json; charset=utf-8', 'missingField'],
    ['no content type', '{}', undefined, 'missingField'],
  ]
  for (const [name, body, type, error] of rows) {
    await t.test(name, async () => {
      const answer = await post(body, type)
      assert.equal(answer.status, apiErrors[error].status)
      assert.equal(answer.errors[0].code, apiErrors[error].code)
      assert.deepEqual([answer.result, answer.success, answer.messages], [null, false, []])
    })
  }
})

test('the error for malformed JSON has its position', async () => {
  const { errors } = await post('{\n "name": "a",\n "account" {}\n}', 'application/json')
  assert.equal(errors[0].message, "invalid JSON: unexpected '{' where ':' should be (line 3, column 12)")
})

test('the error for a wrong field has a pointer and a sentence', async () => {
  const { status, errors } = await post(
    '{"name":"","account":{"id":7,"x/y":1},"type":"internal","origin":{}, "plan":1}',
    'application/json',
  )
  assert.equal(status, 400)
  assert.deepEqual(errors, [
    { code: 10420, message: 'invalid JSON: unknown field "plan"', source: { pointer: '/plan' } },
    {
      code: 10423,
      message: "'' is not a valid value for name because it is empty",
      source: { pointer: '/name' },
    },
    { code: 10420, message: 'invalid JSON: unknown field "x/y"', source: { pointer: '/account/x~1y' } },
    { code: 10422, message: 'account.id must be a string', source: { pointer: '/account/id' } },
    {
      code: 10423,
      message: "'internal' is not a valid value for type because it is not one of full, partial, secondary",
      source: { pointer: '/type' },
    },
    { code: 10421, message: 'origin.url is required', source: { pointer: '/origin/url' } },
  ])
})

test('unknown paths, methods and ids', async t => {
  const rows: [method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, status: number, codes: number[]][] = [
    ['GET', '/client/v4/nothing', 404, [7003, 7000]],
    ['GET', '/nothing', 404, [7003, 7000]],
    ['GET', '/client/v4', 404, [7003, 7000]],
    ['GET', '/client/v4/zones/%zz', 404, [7003, 7000]],
    ['GET', `/client/v4/zones/${'a'.repeat(300)}`, 404, [7003, 7000]],
    ['GET', '/client/v4/zones/short', 404, [7003, 7000]],
    ['GET', `/client/v4/zones/${'0'.repeat(32)}/rulesets`, 404, [7003, 7000]],
    ['GET', `/client/v4/accounts/${'0'.repeat(32)}/rulesets`, 404, [7003, 7000]],
    ['GET', `/client/v4/zones/${'0'.repeat(32)}/logpush/jobs`, 404, [7003, 7000]],
    ['PATCH', '/client/v4/accounts', 405, [10405]],
    ['PUT', '/client/v4/zones/x', 405, [10405]],
    ['PATCH', '/client/v4/zones/x/logpush/jobs/1', 405, [10405]],
  ]
  for (const [method, url, status, codes] of rows) {
    await t.test(`${method} ${url.slice(0, 60)}`, async () => {
      const answer = await api.app.inject({ method, url, headers: { authorization } })
      assert.equal(answer.statusCode, status)
      assert.deepEqual(
        answer.json().errors.map((error: { code: number }) => error.code),
        codes,
      )
      assert.equal(answer.headers.allow !== undefined, status === 405)
      if (status === 405)
        assert.ok(answer.json().errors[0].message.endsWith(`; available here: ${answer.headers.allow}`))
    })
  }
})

test('a 404 repeats the path without the base and the query', async () => {
  const { body } = await api.send('GET', '/nothing/here?a=b')
  assert.equal(
    body.errors[0].message,
    'Could not route to /nothing/here, perhaps your object identifier is invalid?',
  )
})

test('internal errors show an id and no details', async () => {
  const failing = await openTestApi({ metrics: () => Promise.reject(new Error('secret detail')) })
  try {
    const answer = await failing.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.statusCode, 500)
    assert.ok(!answer.body.includes('secret'))
    const id = /id ([0-9a-f]{32})$/.exec(answer.json().errors[0].message)?.[1]
    assert.ok(id !== undefined)
    assert.ok(failing.logLines.some(line => line.includes(id) && line.includes('secret detail')))
  } finally {
    await failing.close()
  }
})

const away: readonly [name: string, error: Error, known: ErrorName][] = [
  ['database', new StoreError('unavailable', 'gone'), 'storeAway'],
  ['record log', new RecordLogError('unavailable', 'gone'), 'logsAway'],
]
for (const [name, error, known] of away) {
  test(`an unavailable ${name} is 503`, async () => {
    const failing = await openTestApi({ metrics: () => Promise.reject(error) })
    try {
      const answer = await failing.app.inject({
        url: '/metrics',
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(answer.statusCode, 503)
      assert.equal(answer.json().errors[0].code, apiErrors[known].code)
      assert.equal(answer.headers['retry-after'], '1')
    } finally {
      await failing.close()
    }
  })
}

test('malformed HTTP is answered with the envelope too', async () => {
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'))
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.equal(JSON.parse(answer.split('\r\n\r\n')[1]!).errors[0].code, apiErrors.badHttp.code)
})

test('no code of the catalogue is a 409', () => {
  assert.ok(Object.values(apiErrors).every(({ status }) => (status as number) !== 409))
})
