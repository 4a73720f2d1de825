import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { run, type TestRequest } from '../testing/requests.ts'
import { parseTarget } from './target-uri.ts'

/** Each value that a rule on `target` tests, as `name=value`. */
function valuesOf(target: string, request: TestRequest, setup = '', phase = 2): string[] {
  const rules = [
    setup,
    `SecRule ${target} "@unconditionalMatch" "id:1,phase:${phase},nolog,${collect}"`,
    `SecAction "id:2,phase:5,msg:'%{tx.seen}'"`,
  ]
  const { transaction } = run(rules.join('\n'), request)
  const seen = transaction.matches.find(match => match.rule.id === 2)?.message ?? ''
  return seen.split(SEPARATOR).filter(piece => piece !== '')
}

/** A byte that no test value holds. */
const SEPARATOR = '\x02'
const collect = `setvar:'tx.seen=%{tx.seen}%{MATCHED_VAR_NAME}=%{MATCHED_VAR}${SEPARATOR}'`

const form = (body: string, type = 'application/x-www-form-urlencoded'): TestRequest => ({
  method: 'POST',
  target: '/p?q=1',
  headers: [['Content-Type', type]],
  body,
})

const multipart = form(
  [
    '--B',
    'Content-Disposition: form-data; name="f"',
    '',
    'a%41',
    '--B',
    'Content-Disposition: form-data; name="up"; filename="x.php"',
    'Content-Type: text/plain',
    '',
    '12345',
    '--B--',
    '',
  ].join('\r\n'),
  'multipart/form-data; boundary=B',
)
const asJson = 'SecAction "id:90,phase:1,nolog,ctl:requestBodyProcessor=JSON"'
const asXml = 'SecAction "id:90,phase:1,nolog,ctl:requestBodyProcessor=XML"'

describe('variables', () => {
  const headers: TestRequest['headers'] = [
    ['Host', 'example.com:81'],
    ['X-A', '1'],
    ['Cookie', 'a=b=c; d; a="x'],
    ['x-a', '2'],
    ['Cookie', 'e=1'],
  ]
  const request: TestRequest = { target: '/x/./y//z.php?a=%41&b', headers }
  const rows: { target: string; request?: TestRequest; setup?: string; phase?: number; want: string[] }[] = [
    { target: 'REQUEST_METHOD', want: ['REQUEST_METHOD=GET'] },
    { target: 'REQUEST_LINE', want: ['REQUEST_LINE=GET /x/./y//z.php?a=%41&b HTTP/1.1'] },
    { target: 'REQUEST_LINE', request: { protocol: '' }, want: ['REQUEST_LINE=GET /'] },
    { target: 'REQUEST_PROTOCOL', want: ['REQUEST_PROTOCOL=HTTP/1.1'] },
    { target: 'REQUEST_URI_RAW', want: ['REQUEST_URI_RAW=/x/./y//z.php?a=%41&b'] },
    { target: 'REQUEST_URI', want: ['REQUEST_URI=/x/y/z.php?a=%41&b'] },
    { target: 'REQUEST_FILENAME', want: ['REQUEST_FILENAME=/x/y/z.php'] },
    { target: 'REQUEST_BASENAME', want: ['REQUEST_BASENAME=z.php'] },
    { target: 'REQUEST_URI', phase: 1, want: ['REQUEST_URI=/x/./y//z.php?a=%41&b'] },
    { target: 'REQUEST_FILENAME', phase: 1, want: ['REQUEST_FILENAME=/x/./y//z.php'] },
    {
      target: 'REQUEST_FILENAME|REQUEST_BASENAME',
      request: { target: 'http://h/a//%2e%2e/b%5c%63.php?q' },
      phase: 1,
      want: ['REQUEST_FILENAME=/a//%2e%2e/b%5c%63.php', 'REQUEST_BASENAME=b%5c%63.php'],
    },
    {
      target: 'REQUEST_FILENAME|REQUEST_BASENAME',
      request: { target: 'http://h/a//%2e%2e/b%5c%63.php?q' },
      want: ['REQUEST_FILENAME=/b\\c.php', 'REQUEST_BASENAME=c.php'],
    },
    {
      target: 'REQUEST_FILENAME',
      request: { target: '/%61' },
      setup: 'SecRequestBodyAccess Off',
      want: ['REQUEST_FILENAME=/a'],
    },
    { target: 'QUERY_STRING', want: ['QUERY_STRING=a=%41&b'] },
    { target: 'ARGS', want: ['ARGS:a=A', 'ARGS:b='] },
    { target: 'ARGS_NAMES', want: ['ARGS_NAMES:a=a', 'ARGS_NAMES:b=b'] },
    { target: 'ARGS:A', want: ['ARGS:a=A'] },
    { target: '&ARGS', want: ['&ARGS=2'] },
    { target: '&ARGS:zz', want: ['&ARGS:zz=0'] },
    { target: '&ARGS:/^[ab]$/', want: ['&ARGS:/^[ab]$/=2'] },
    { target: 'ARGS_COMBINED_SIZE', want: ['ARGS_COMBINED_SIZE=3'] },
    {
      target: 'REQUEST_HEADERS',
      want: [
        'REQUEST_HEADERS:Host=example.com:81',
        'REQUEST_HEADERS:X-A=1, 2',
        'REQUEST_HEADERS:Cookie=a=b=c; d; a="x; e=1',
      ],
    },
    { target: 'REQUEST_HEADERS:x-A', want: ['REQUEST_HEADERS:X-A=1, 2'] },
    { target: '&REQUEST_HEADERS:X-A', want: ['&REQUEST_HEADERS:X-A=1'] },
    {
      target: 'REQUEST_HEADERS_NAMES',
      want: [
        'REQUEST_HEADERS_NAMES:Host=Host',
        'REQUEST_HEADERS_NAMES:X-A=X-A',
        'REQUEST_HEADERS_NAMES:Cookie=Cookie',
      ],
    },
    {
      target: 'REQUEST_COOKIES',
      want: ['REQUEST_COOKIES:a=b=c', 'REQUEST_COOKIES:d=', 'REQUEST_COOKIES:a="x', 'REQUEST_COOKIES:e=1'],
    },
    { target: '&REQUEST_COOKIES:a', want: ['&REQUEST_COOKIES:a=2'] },
    { target: 'REMOTE_ADDR', want: ['REMOTE_ADDR=192.0.2.1'] },
    { target: 'SERVER_NAME', want: ['SERVER_NAME=example.com'] },
    { target: 'UNIQUE_ID', want: ['UNIQUE_ID=unique'] },
    { target: 'GEO:COUNTRY_CODE', want: [] },
    { target: 'REQBODY_PROCESSOR', want: ['REQBODY_PROCESSOR='] },
    { target: 'REQUEST_BODY', want: [] },
    { target: 'XML:/*', want: [] },
    { target: 'RESPONSE_BODY', want: [] },

    { target: 'REQBODY_PROCESSOR', request: form(''), phase: 1, want: ['REQBODY_PROCESSOR=URLENCODED'] },
    { target: 'ARGS', request: form('b=+%32&c'), want: ['ARGS:q=1', 'ARGS:b= 2', 'ARGS:c='] },
    { target: 'ARGS', request: form('b=2'), phase: 1, want: ['ARGS:q=1'] },
    { target: 'ARGS_POST', request: form('b=2'), want: ['ARGS_POST:b=2'] },
    { target: 'ARGS_GET', request: form('b=2'), want: ['ARGS_GET:q=1'] },
    { target: 'REQUEST_BODY', request: form('b=%32'), want: ['REQUEST_BODY=b=%32'] },
    { target: 'REQUEST_BODY_LENGTH', request: form('b=%32'), want: ['REQUEST_BODY_LENGTH=5'] },
    {
      target: 'INBOUND_DATA_ERROR',
      request: { ...form('b=2'), complete: false },
      want: ['INBOUND_DATA_ERROR=1'],
    },

    { target: 'ARGS', request: multipart, want: ['ARGS:q=1', 'ARGS:f=a%41'] },
    { target: 'FILES', request: multipart, want: ['FILES:up=x.php'] },
    { target: 'FILES_NAMES', request: multipart, want: ['FILES_NAMES:up=up'] },
    { target: 'FILES_SIZES', request: multipart, want: ['FILES_SIZES:up=5'] },
    { target: 'FILES_COMBINED_SIZE', request: multipart, want: ['FILES_COMBINED_SIZE=5'] },
    { target: '&MULTIPART_PART_HEADERS:up', request: multipart, want: ['&MULTIPART_PART_HEADERS:up=2'] },
    { target: 'MULTIPART_STRICT_ERROR', request: multipart, want: ['MULTIPART_STRICT_ERROR=0'] },
    { target: 'REQUEST_BODY', request: multipart, want: [] },
    {
      target: 'MULTIPART_STRICT_ERROR|MULTIPART_DATA_BEFORE',
      request: { ...multipart, body: `x\r\n${multipart.body}` },
      want: ['MULTIPART_STRICT_ERROR=1', 'MULTIPART_DATA_BEFORE=1'],
    },

    {
      target: 'ARGS',
      request: form('{"a":"x","b":{"c":[1,null]}}', 'application/json'),
      setup: asJson,
      want: ['ARGS:q=1', 'ARGS:a=x', 'ARGS:b.c.c=1', 'ARGS:b.c.c='],
    },
    { target: 'ARGS_POST', request: form('{"a":"x"}'), setup: asJson, want: [] },
    {
      target: 'REQBODY_ERROR|ARGS:a',
      request: form('{"a":"x",'),
      setup: asJson,
      want: ['REQBODY_ERROR=1', 'ARGS:a=x'],
    },
    {
      target: 'REQBODY_ERROR',
      request: { ...form('{"a":"x",'), complete: false },
      setup: asJson,
      want: ['REQBODY_ERROR=0'],
    },
    {
      target: 'REQBODY_ERROR',
      request: form('[[[1]]]'),
      setup: `SecRequestBodyJsonDepthLimit 2\n${asJson}`,
      want: ['REQBODY_ERROR=1'],
    },
    {
      target: 'XML:/*|XML://@*',
      request: form('<a b="1&amp;2">x<c d="3">y</c></a>'),
      setup: asXml,
      want: ['XML=xy', 'XML=1&2', 'XML=3'],
    },
    { target: 'REQBODY_ERROR', request: form('<a>'), setup: asXml, want: ['REQBODY_ERROR=1'] },
    {
      target: '&ARGS|REQBODY_ERROR',
      request: { target: '/?a&b&c' },
      setup: 'SecArgumentsLimit 2',
      want: ['&ARGS=3', 'REQBODY_ERROR=1'],
    },
    {
      target: '&ARGS|REQBODY_ERROR',
      request: { target: '/?a&b' },
      setup: 'SecArgumentsLimit 2',
      want: ['&ARGS=2', 'REQBODY_ERROR=0'],
    },
  ]
  for (const { target, request: own, setup, phase, want } of rows) {
    it(`${target} ${want.join(' ')}`, () => {
      assert.deepEqual(valuesOf(target, own ?? request, setup, phase), want)
    })
  }
})

describe('response variables', () => {
  const response = {
    status: 404,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Set-Cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ] as const,
    body: 'hello',
  }
  const rows = [
    { target: 'RESPONSE_STATUS', want: ['RESPONSE_STATUS=404'] },
    {
      target: 'RESPONSE_HEADERS:set-cookie',
      want: ['RESPONSE_HEADERS:Set-Cookie=a=1', 'RESPONSE_HEADERS:set-cookie=b=2'],
    },
    { target: 'RESPONSE_CONTENT_TYPE', want: ['RESPONSE_CONTENT_TYPE=text/html'] },
    { target: 'RESPONSE_BODY', want: ['RESPONSE_BODY=hello'] },
    { target: 'RESPONSE_BODY', setup: 'SecResponseBodyLimit 4', want: ['RESPONSE_BODY=hell'] },
    { target: 'OUTBOUND_DATA_ERROR', setup: 'SecResponseBodyLimit 4', want: ['OUTBOUND_DATA_ERROR=1'] },
    { target: 'OUTBOUND_DATA_ERROR', setup: 'SecResponseBodyLimit 5', want: ['OUTBOUND_DATA_ERROR=0'] },
    { target: 'RESPONSE_BODY', setup: 'SecResponseBodyAccess Off', want: [] },
    {
      target: 'RESPONSE_BODY',
      setup: 'SecResponseBodyMimeTypesClear\nSecResponseBodyMimeType text/plain',
      want: [],
    },
  ]
  for (const { target, setup, want } of rows) {
    it(`${target} ${setup ?? ''} ${want.join(' ')}`, () => {
      const reading = 'SecRule RESPONSE_BODY "@rx x" "id:91,phase:4,nolog"'
      assert.deepEqual(valuesOf(target, { response }, `${setup ?? ''}\n${reading}`, 4), want)
    })
  }
})

describe('limits with Reject', () => {
  const rows = [
    { limit: 'SecRequestBodyLimit 5', status: 413 },
    { limit: 'SecRequestBodyLimit 6', status: undefined },
    { limit: 'SecRequestBodyNoFilesLimit 5', status: 413 },
    { limit: 'SecRequestBodyNoFilesLimit 5\nSecRuleEngine DetectionOnly', status: undefined },
  ]
  for (const { limit, status } of rows) {
    it(`${limit}: ${status}`, () => {
      const { interruption } = run(`SecRequestBodyLimitAction Reject\n${limit}`, form('abc=de'))
      assert.equal(interruption?.status, status)
    })
  }
})

describe('parseTarget', () => {
  const rows = [
    { target: '/', path: '/', query: '' },
    { target: '//a//b/%2e%2e/c', path: '/a/c', query: '' },
    { target: '/../..//x', path: '/x', query: '' },
    { target: '/a/b/..', path: '/a/', query: '' },
    { target: '/a/..', path: '/', query: '' },
    { target: '/a/.', path: '/a/', query: '' },
    { target: '/a+b%20%zz%4', path: '/a+b %zz%4', query: '' },
    { target: '/a?b?c=/../d#e?f', path: '/a', query: 'b?c=/../d' },
    { target: 'http://host:81/a/../b?c', path: '/b', query: 'c' },
    { target: 'http://host', path: '/', query: '' },
    { target: 'http://host?x=/', path: '/', query: 'x=/' },
    { target: '/x?u=http://host/a', path: '/x', query: 'u=http://host/a' },
    { target: '*', path: '*', query: '' },
    { target: 'host:443', path: 'host:443', query: '' },
    { target: '', path: '', query: '' },
  ]
  for (const { target, path, query } of rows) {
    it(target, () => {
      const parsed = parseTarget(target)
      assert.deepEqual([parsed.normalised.path, parsed.query], [path, query])
    })
  }
})
