import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactionOf } from '../../../rulesets/plan/redaction.ts'
import { redactParameters, type Source } from './parameters.ts'

const names = redactionOf({
  authorization: false,
  cookies: false,
  cardNumbers: false,
  queryCredentials: true,
  queryParameters: ['voucher', 'x-y'],
}).parameters!

const cases: readonly (readonly [source: Source, text: string, want: string])[] = [
  ['uri', '/', '/'],
  ['uri', '/a?token=1', '/a?token=[redacted]'],
  ['uri', '/a?token=', '/a?token='],
  ['uri', '/a?token', '/a?token'],
  ['uri', '/a?b=token=1', '/a?b=token=1'],
  ['uri', '/token=1/a', '/token=1/a'],
  ['uri', '/a?b=1&token=2&c=3', '/a?b=1&token=[redacted]&c=3'],
  ['uri', '/a?token=1;2?3&c=4', '/a?token=[redacted]&c=4'],
  ['uri', '/a?b=1;token=2&c=3', '/a?b=1;token=[redacted]&c=3'],
  [
    'uri',
    '/a?TOKEN=1&Api_Key=2&api-key=3&apikey=4',
    '/a?TOKEN=[redacted]&Api_Key=[redacted]&api-key=[redacted]&apikey=[redacted]',
  ],
  ['uri', '/a?accessToken=1', '/a?accessToken=[redacted]'],
  ['uri', '/a?%74oken=1&t%6Fke%6e=2', '/a?%74oken=[redacted]&t%6Fke%6e=[redacted]'],
  ['uri', '/a?+token=1', '/a?+token=[redacted]'],
  [
    'uri',
    '/a?user[password]=1&user.password=2&token[]=3',
    '/a?user[password]=[redacted]&user.password=[redacted]&token[]=[redacted]',
  ],
  ['uri', '/a?user%5Bpassword%5D=1', '/a?user%5Bpassword%5D=[redacted]'],
  ['uri', '/a?tokens=1&xtoken=2&keyword=3&monkey=4&code=5', '/a?tokens=1&xtoken=2&keyword=3&monkey=4&code=5'],
  [
    'uri',
    '/a?X-Amz-Signature=1&X-Amz-Credential=2&X-Amz-Security-Token=3&X-Goog-Signature=4',
    '/a?X-Amz-Signature=[redacted]&X-Amz-Credential=[redacted]&X-Amz-Security-Token=[redacted]&X-Goog-Signature=[redacted]',
  ],
  ['uri', '/a?b=c?token=1', '/a?b=c?token=[redacted]'],
  ['uri', '/a?next=%2Fb%3Ftoken%3D1%26c%3D2&d=3', '/a?next=%2Fb%3Ftoken%3D[redacted]%26c%3D2&d=3'],
  ['uri', '/a?next=%2Fb%3ftoken%3d1%23d', '/a?next=%2Fb%3ftoken%3d[redacted]%23d'],
  ['uri', '/a?t%256Fken=1', '/a?t%256Fken=[redacted]'],
  [
    'uri',
    '/a?next=%252Fb%253Ftoken%253D1%2526c%253D2&d=3',
    '/a?next=%252Fb%253Ftoken%253D[redacted]%2526c%253D2&d=3',
  ],
  ['uri', '/a?next=%2Fb%3Ftoken%3D1%25262%26c%3D2', '/a?next=%2Fb%3Ftoken%3D[redacted]%26c%3D2'],
  ['uri', '/a?token=1%262&c=3', '/a?token=[redacted]&c=3'],
  ['uri', '/a?b=%25&token=1%25', '/a?b=%25&token=[redacted]'],
  ['uri', '/a;jsessionid=1/b;c=2?d=3', '/a;jsessionid=[redacted]/b;c=2?d=3'],
  ['uri', '/a;jsessionid=1?d=3', '/a;jsessionid=[redacted]?d=3'],
  ['uri', '/a?Voucher=1&x-y=2&xy=3', '/a?Voucher=[redacted]&x-y=[redacted]&xy=3'],
  ['uri', '/a?b=%&token=1%', '/a?b=%&token=[redacted]'],
  ['uri', `/a?${'['.repeat(500)}token=1`, `/a?${'['.repeat(500)}token=1`],
  ['query', 'token=1&a=2', 'token=[redacted]&a=2'],
  ['query', 'a=2&token=1', 'a=2&token=[redacted]'],
  ['text', 'https://a/b?token=1#c', 'https://a/b?token=[redacted]#c'],
  ['text', 'https://a/cb#access_token=1&state=2', 'https://a/cb#access_token=[redacted]&state=2'],
  [
    'text',
    '<https://a/b?token=1>; rel="next", <https://a/c?sig=2>; rel="last"',
    '<https://a/b?token=[redacted]>; rel="next", <https://a/c?sig=[redacted]>; rel="last"',
  ],
  ['text', '5; url="https://a/b?token=1"', '5; url="https://a/b?token=[redacted]"'],
  ['text', 'for=1;token="2 3" b', 'for=1;token=[redacted] b'],
  ['text', 'token="2 3', 'token=[redacted]'],
  ['text', 'token=<2 3> 4', 'token=[redacted] 4'],
  ['text', 'a=1,token=2', 'a=1,token=[redacted]'],
  ['text', '"token=1" (token=2)', '"token=[redacted]" (token=[redacted]'],
  ['text', 'a\ttoken=1\tb', 'a\ttoken=[redacted]\tb'],
  ['query', 'https://a/?token="1" 2<3&c=4', 'https://a/?token=[redacted]&c=4'],
  ['text', 'seen password=1 there', 'seen password=[redacted] there'],
  ['text', 'seen user.password=1 there', 'seen user.password=[redacted] there'],
  // Words of a sentence are not names.
  ['uri', '/a?var=session.referer_check=true', '/a?var=session.referer_check=true'],
  ['query', 'var=session.referer_check=true', 'var=session.referer_check=true'],
  ['text', 'found session.referer_check=true there', 'found session.referer_check=true there'],
  ['value', 'session.referer_check=true', 'session.referer_check=true'],
  ['value', 'session=true', 'session=true'],
  ['value', 'the session=1 (token=2), "key=3"', 'the session=1 (token=2), "key=3"'],
  ['value', 'see https://a/?token=1 2', 'see https://a/?token=[redacted] 2'],
  ['uri', '/a?session.referer_check=true', '/a?session.referer_check=[redacted]'],
]

test('values of credential parameters are redacted', () => {
  for (const [source, text, want] of cases) {
    assert.equal(redactParameters(text, names, source), want, text)
    assert.equal(redactParameters(want, names, source), want, `twice: ${text}`)
  }
})

test('long texts take linear time', () => {
  for (const unit of ['token=', '&token=1', '%3Ftoken%3D', '?', '%', '=', ';a', '[&']) {
    for (const source of ['uri', 'query', 'text'] as const)
      assert.equal(typeof redactParameters(`/?${unit.repeat(20_000)}`, names, source), 'string')
  }
})
