import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Redaction } from '../../../model/resource.ts'
import { redactionOf } from '../../../rulesets/plan/redaction.ts'
import { redactMatch } from './match-data.ts'
import { redactAnyHeader, redactedBeginning, redactHeader, redactHost, redactUri } from './redact.ts'

const all = redactionOf(undefined)
const off: Redaction = {
  authorization: false,
  cookies: false,
  queryCredentials: false,
  cardNumbers: false,
  queryParameters: [],
}
const card = '4111111111111111'
const hidden = '************1111'

const headers: readonly (readonly [name: string, value: string, want: string])[] = [
  ['authorization', '', ''],
  ['authorization', 'Basic dTpw', 'Basic [redacted]'],
  ['proxy-authorization', 'Basic dTpw', 'Basic [redacted]'],
  ['authorization', 'bearer  a.b.c', 'bearer [redacted]'],
  ['authorization', 'Digest username="u", response="r"', 'Digest [redacted]'],
  ['authorization', 'Negotiate', 'Negotiate'],
  ['authorization', 's3cret', '[redacted]'],
  ['authorization', 's3cret and more', '[redacted]'],
  ['cookie', '', ''],
  [
    'cookie',
    'a=1; Theme=dark; b="x;y"; c=; d',
    'a=[redacted]; Theme=dark; b=[redacted];[redacted]; c=; [redacted]',
  ],
  ['cookie', 'theme=1;a = 2', 'theme=[redacted];a =[redacted]'],
  ['set-cookie', 'a=1; Path=/; HttpOnly', 'a=[redacted]; Path=/; HttpOnly'],
  ['set-cookie', 'Theme=dark; Path=/', 'Theme=dark; Path=/'],
  ['set-cookie', 'a', '[redacted]'],
  [
    'set-cookie',
    'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2; HttpOnly, Theme=dark',
    'a=[redacted]; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=[redacted]; HttpOnly, Theme=dark',
  ],
  [
    'set-cookie',
    'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2==',
    'a=[redacted]; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=[redacted]',
  ],
  ['referer', 'https://a.test/b?token="1" 2&c=3', 'https://a.test/b?token=[redacted]&c=3'],
  ['referer', 'https://u:p@a.test/b?token=1&c=2', 'https://[redacted]@a.test/b?token=[redacted]&c=2'],
  ['location', '/b?password=1', '/b?password=[redacted]'],
  ['link', '<https://a.test/?sig=1>; rel=next', '<https://a.test/?sig=[redacted]>; rel=next'],
  ['x-note', `card ${card}`, `card ${hidden}`],
  ['x-note', 'user@host and http://a.test/@b', 'user@host and http://a.test/@b'],
]

test('headers', () => {
  for (const [name, value, want] of headers) assert.equal(redactHeader(all, name, value, ['Theme']), want)
})

test('headers that no setting selects', () => {
  for (const [name, value, want] of [
    ['x-api-key', 'abc', '[redacted]'],
    ['x-vault-token', 'abc', '[redacted]'],
    ['x-goog-api-key', 'abc', '[redacted]'],
    ['x-forwarded-authorization', 'Basic dTpw', '[redacted]'],
    ['proxy-authorization', 'Basic dTpw', 'Basic [redacted]'],
    ['x-tokens', 'abc', 'abc'],
    ['x-auth-token', 'abc', '[redacted]'],
    ['private-token', 'abc', '[redacted]'],
    ['authorization', 'Basic dTpw', 'Basic [redacted]'],
    ['cookie', 'Theme=dark', 'Theme=[redacted]'],
    ['accept', 'text/html', 'text/html'],
  ] as const)
    assert.equal(redactAnyHeader(all, name, value), want, name)
})

test('URIs and hosts', () => {
  assert.equal(redactUri(all, `/p/${card}?token=1&c=${card}`), `/p/${hidden}?token=[redacted]&c=${hidden}`)
  assert.equal(
    redactUri(all, 'http://u:p@a.test/?b=http://v@c/'),
    'http://[redacted]@a.test/?b=http://[redacted]@c/',
  )
  assert.equal(redactUri(all, `@${'://'.repeat(30_000)}`).length, 90_001)
  assert.equal(redactHost(all, 'a.test:80'), 'a.test:80')
  assert.equal(redactHost(all, 'u:p@a.test'), '[redacted]@a.test')
})

test('users in URLs', () => {
  for (const [uri, want] of [
    ['/?a=//u:p@b.test/', '/?a=//[redacted]@b.test/'],
    ['//u:p@b.test/', '//[redacted]@b.test/'],
    ['/a//u@b.test', '/a//u@b.test'],
    ['/?a=https%3A%2F%2Fu%3Ap%40b.test%2Fc', '/?a=https%3A%2F%2F[redacted]%40b.test%2Fc'],
    ['/?a=https%3a%2f%2fu:p@b.test&c=d@e', '/?a=https%3a%2f%2f[redacted]@b.test&c=d@e'],
    ['/?a=https%253A%252F%252Fu%253Ap%2540b.test', '/?a=https%253A%252F%252F[redacted]%2540b.test'],
    ['https://u:p%2Fq%3F%40@b.test/', 'https://[redacted]@b.test/'],
    ['https:////u:p@b.test/', 'https:////[redacted]@b.test/'],
    ['/?a=https%3A%2F%2Fb.test%2Fu%40c', '/?a=https%3A%2F%2Fb.test%2Fu%40c'],
    ['/?a=u%40b.test&c=https://d.test', '/?a=u%40b.test&c=https://d.test'],
    ['https://@b.test/', 'https://@b.test/'],
  ] as const)
    assert.equal(redactUri(all, uri), want, uri)
  for (const unit of ['://', '@', '%40', '%2525', '=//', '%3A%2F%2F'])
    assert.ok(redactUri(all, `${unit.repeat(30_000)}@`).endsWith('@'))
})

test('each kind of secret can be kept', () => {
  const values = (redaction: Redaction) => {
    const plan = redactionOf(redaction)
    return [
      redactHeader(plan, 'authorization', 'Basic dTpw', []),
      redactHeader(plan, 'cookie', 'a=1', []),
      redactUri(plan, `/?token=1&voucher=2&n=${card}`),
      redactHost(plan, 'u:p@a.test'),
    ]
  }
  const as = `/?token=1&voucher=2&n=${card}`
  assert.deepEqual(values(off), ['Basic dTpw', 'a=1', as, 'u:p@a.test'])
  assert.deepEqual(values({ ...off, authorization: true }), [
    'Basic [redacted]',
    'a=1',
    as,
    '[redacted]@a.test',
  ])
  assert.deepEqual(values({ ...off, cookies: true }), ['Basic dTpw', 'a=[redacted]', as, 'u:p@a.test'])
  assert.equal(values({ ...off, queryCredentials: true })[2], `/?token=[redacted]&voucher=2&n=${card}`)
  assert.equal(values({ ...off, queryParameters: ['voucher'] })[2], `/?token=1&voucher=[redacted]&n=${card}`)
  assert.equal(values({ ...off, cardNumbers: true })[2], `/?token=1&voucher=2&n=${hidden}`)
})

const matches: readonly (readonly [target: string, said: string, want: string])[] = [
  ['ARGS:q', 'found 1 within ARGS:q: 1', 'found 1 within ARGS:q: 1'],
  [
    'ARGS:var',
    'Matched Data: session.referer_check=true found within ARGS:var: session.referer_check=true',
    'Matched Data: session.referer_check=true found within ARGS:var: session.referer_check=true',
  ],
  ['ARGS:var', 'found within ARGS:var: session=true', 'found within ARGS:var: session=true'],
  ['ARGS:url', 'within ARGS:url: //a/?token=1', 'within ARGS:url: //a/?token=[redacted]'],
  ['ARGS:password', 'found x within ARGS:password: x', '[redacted]'],
  ['ARGS:json.user.Password', 'x', '[redacted]'],
  ['ARGS_POST:token', 'x', '[redacted]'],
  ['ARGS_NAMES:password', 'password', 'password'],
  ['REQUEST_COOKIES:a', 'x', '[redacted]'],
  ['REQUEST_HEADERS:Authorization', 'x', '[redacted]'],
  ['REQUEST_HEADERS:Cookie', 'x', '[redacted]'],
  ['REQUEST_HEADERS:X-Api-Key', 'x', '[redacted]'],
  ['RESPONSE_HEADERS:Set-Cookie', 'x', '[redacted]'],
  ['REQUEST_HEADERS:User-Agent', card, hidden],
  [
    'REQUEST_URI',
    'found . within REQUEST_URI: /?token=1&a=.',
    'found . within REQUEST_URI: /?token=[redacted]&a=.',
  ],
  ['REQUEST_BODY', 'within REQUEST_BODY: password=1&b=2', 'within REQUEST_BODY: password=[redacted]&b=2'],
]

test('messages and data of matches', () => {
  for (const [target, said, want] of matches) assert.equal(redactMatch(all, said, target, 100), want, target)
})

test('a secret at the cut is redacted completely', () => {
  for (const before of [84, 90, 99, 100]) {
    const text = redactedBeginning(`${'x'.repeat(before - 1)}=${card}/${'y'.repeat(500)}`, 100, text =>
      redactUri(all, text),
    )
    assert.equal(text, `${'x'.repeat(before - 1)}=${hidden}/yyy`.slice(0, 100))
  }
  const shrinks = `?token=${'t'.repeat(60)}&${'x'.repeat(150)}=${card}`
  for (let bytesMax = 90; bytesMax < 240; bytesMax++)
    assert.doesNotMatch(
      redactedBeginning(shrinks, bytesMax, text => redactUri(all, text)),
      /4111|ttt/,
    )
})
