import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program, send, type TestRequest } from '../testing/requests.ts'

/** Bodies with text that rules cannot read do not reach an application, regardless of the rules. */

const rules = program(`
  SecAction "id:1,phase:1,nolog,pass"
  SecRule REQUEST_HEADERS:Content-Type "@contains xml" "id:2,phase:1,nolog,pass,ctl:requestBodyProcessor=XML"
  SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:3,phase:1,nolog,pass,ctl:requestBodyProcessor=JSON"
  SecRule REQBODY_ERROR "@eq 1" "id:4,phase:2,pass,msg:'%{REQBODY_ERROR_MSG}'"
  SecRule ARGS|MULTIPART_PART_HEADERS "@unconditionalMatch" "id:5,phase:2,pass"
  SecRule XML:/* "@contains attack" "id:6,phase:2,deny"`)

const withType = (type: string, body: string): TestRequest => ({
  method: 'POST',
  headers: [['Content-Type', type]],
  body,
})
const multipart = (head: string, name = 'a', content = 'x'): TestRequest =>
  withType(
    'multipart/form-data; boundary=B',
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\n${head}\r\n${content}\r\n--B--\r\n`,
  )

function status(request: TestRequest): number | undefined {
  const { interruption } = send(rules, request)
  if (interruption?.status === 415) assert.equal(interruption.ruleId, 0)
  return interruption?.status
}

test('a charset that rules cannot read is refused', () => {
  const form = 'application/x-www-form-urlencoded'
  const refused: TestRequest[] = [
    withType(`${form}; charset=ibm037`, 'a=%88'),
    withType(`${form}; CHARSET="UTF-7"`, 'a=+ADw-'),
    withType(`${form}; charset=utf-8; charset=utf-16`, 'a=1'),
    withType('application/json; charset=utf-16', '{"a":1}'),
    withType('text/plain; charset=utf-7', '+ADw-script+AD4-'),
    withType('text/xml; charset=ibm037', '<a/>'),
    withType(form, 'a=1&_charset_=utf-7'),
    multipart('Content-Type: text/plain; Charset=utf-7\r\n'),
    multipart('', '_charset_', 'ibm037'),
    { ...withType(form, 'a=1'), headers: [['x-up-devcap-post-charset', 'ibm500']] },
    {
      ...withType(form, 'a=1'),
      headers: [
        ['Content-Type', form],
        ['content-type', `${form}; charset=ibm037`],
      ],
    },
  ]
  for (const request of refused) assert.equal(status(request), 415, JSON.stringify(request))
})

test('other charsets, requests without a body and XML in UTF-16 are inspected as usual', () => {
  const passed: TestRequest[] = [
    withType('application/x-www-form-urlencoded; charset=UTF-8', 'a=1&_charset_=UTF-8'),
    withType('application/json; charset=utf-8', '{"a":1}'),
    multipart('Content-Type: text/plain; charset=iso-8859-1\r\n'),
    withType('text/plain; charset=ibm037', ''),
    withType('text/xml; charset=utf-16', '\xff\xfe<\0a\0/\0>\0'),
  ]
  for (const request of passed) assert.equal(status(request), undefined, JSON.stringify(request))
  const attack = [...'<a>attack</a>'].map(letter => `${letter}\0`).join('')
  assert.equal(status(withType('text/xml; charset=utf-16', `\xff\xfe${attack}`)), 403)
})

test('rules see the error, and those on parts come first', () => {
  const ofHeader = send(rules, withType('text/plain; charset=utf-7', 'x')).matched
  assert.deepEqual(ofHeader, ['4 the charset utf-7 is not read'])
  assert.deepEqual(send(rules, multipart('Content-Type: text/plain; charset=utf-7\r\n')).matched, ['5'])
})

test('an engine that only detects refuses nothing', () => {
  const detecting = program('SecRuleEngine DetectionOnly\nSecRule REQBODY_ERROR "@eq 1" "id:1,phase:2,deny"')
  const { interruption, matched } = send(detecting, withType('text/plain; charset=utf-7', 'x'))
  assert.deepEqual([interruption, matched], [undefined, ['1']])
})
