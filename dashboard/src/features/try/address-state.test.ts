import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOf, headersOfText, headersText, sharedState } from './address-state.ts'
import { emptyDraft, type RequestDraft } from './request-draft.ts'
import { traceInput } from './trace/trace-input.ts'

const url = 'http://shop.test/a?b=1'
const draft: RequestDraft = { ...emptyDraft, url }

test('a request survives a round trip through the address', () => {
  const drafts: readonly Partial<RequestDraft>[] = [
    {},
    {
      method: 'POST',
      body: 'ü\n=&+',
      headers: [
        ['X-A', '1'],
        ['X-A', ''],
        ['X-B', 'a: b'],
      ],
    },
    { body: '/w==', isBase64: true },
    { clientIp: '2001:db8::1', country: 'DE', cleared: true, protocol: 'HTTP/1.0' },
  ]
  for (const changes of drafts) {
    const whole = { ...draft, ...changes }
    const query = new URLSearchParams({ ...sharedState(whole).state }).toString()
    assert.deepEqual(draftOf(Object.fromEntries(new URLSearchParams(query))), whole)
  }
})

test('an address without a request has none', () => {
  assert.equal(draftOf({}), undefined)
  assert.equal(draftOf({ method: 'POST', url: '' }), undefined)
})

test('credentials stay out of addresses', () => {
  const headers: RequestDraft['headers'] = [
    ['Authorization', 'Bearer a'],
    ['proxy-authorization', 'Basic b'],
    ['Cookie', 'sid=c'],
    ['X-Api-Key', 'd'],
    ['X-Auth-Token', 'e'],
    ['Accept', '*/*'],
  ]
  const { state, leftOut } = sharedState({ ...draft, headers })
  assert.equal(state.headers, 'Accept: */*')
  assert.deepEqual(leftOut, ['Authorization', 'proxy-authorization', 'Cookie', 'X-Api-Key', 'X-Auth-Token'])
})

test('long requests are not put into addresses', () => {
  const budget =
    4000 - new URLSearchParams({ ...sharedState({ ...draft, body: 'x' }).state }).toString().length + 1
  assert.equal(sharedState({ ...draft, body: 'x'.repeat(budget) }).state.url, url)
  assert.deepEqual(sharedState({ ...draft, body: 'x'.repeat(budget + 1) }).state, {})
})

test('headers as lines', () => {
  const lines: RequestDraft['headers'] = [
    ['A', '1'],
    ['B', ''],
  ]
  assert.deepEqual(headersOfText(` ${headersText(lines)}\n\n`), lines)
  assert.throws(() => headersOfText('A: 1\nnothing'), /Line 2 is not a header/)
})

test('the body of the API call', () => {
  const rows: readonly (readonly [changes: Partial<RequestDraft>, input: object])[] = [
    [{}, {}],
    [
      {
        headers: [
          ['A', '1'],
          ['a', '2'],
          ['A', '3'],
        ],
      },
      { headers: { A: ['1', '3'], a: '2' } },
    ],
    [
      { method: 'POST', body: 'x' },
      { method: 'POST', body: { plain_text: 'x' } },
    ],
    [{ body: '/w==', isBase64: true }, { body: { base64: '/w==' } }],
    [
      { clientIp: '192.0.2.7', country: 'DE', cleared: true },
      { context: { client_ip: '192.0.2.7', geoloc: { iso_code: 'DE' }, skip_challenge: true } },
    ],
    [{ protocol: 'HTTP/1.0' }, { protocol: 'HTTP/1.0' }],
  ]
  for (const [changes, input] of rows)
    assert.deepEqual(traceInput({ ...draft, ...changes }), {
      method: 'GET',
      url,
      ...input,
      skip_response: true,
    })
})
