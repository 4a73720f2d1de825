import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDraft, type RequestDraft } from '../request-draft.ts'
import { curlUserAgent, readCurl } from './curl-command.ts'
import { curlOf } from './curl-text.ts'

const url = 'http://shop.test/'
const own: RequestDraft['headers'] = [
  ['User-Agent', curlUserAgent],
  ['Accept', '*/*'],
]
const form: RequestDraft['headers'] = [...own, ['Content-Type', 'application/x-www-form-urlencoded']]

/** Options after `curl`, and the differences from `GET http://shop.test/`. */
const rows: readonly (readonly [options: string, changes: Partial<RequestDraft>])[] = [
  [url, {}],
  ['shop.test/a', { url: 'http://shop.test/a' }],
  [`--url ${url}`, {}],
  [`-sSkL -o /dev/null -w '%{http_code}' --max-time 5 ${url}`, {}],
  [`-X DELETE ${url}`, { method: 'DELETE' }],
  [`-XPUT ${url}`, { method: 'PUT' }],
  [`-sXPUT ${url}`, { method: 'PUT' }],
  [`--request PATCH ${url}`, { method: 'PATCH' }],
  [`-I ${url}`, { method: 'HEAD' }],
  [`-H 'X-A: 1' --header 'X-B:2' ${url}`, { headers: [...own, ['X-A', '1'], ['X-B', '2']] }],
  [`-H 'X-A;' ${url}`, { headers: [...own, ['X-A', '']] }],
  [`-H 'User-Agent:' -H 'accept: text/html' ${url}`, { headers: [['accept', 'text/html']] }],
  [`-H 'Host: other.test' ${url}`, { headers: [...own, ['Host', 'other.test']] }],
  [
    `-A Browser -e http://a/ ${url}`,
    { headers: [['User-Agent', 'Browser'], own[1]!, ['Referer', 'http://a/']] },
  ],
  [`-A '' ${url}`, { headers: [own[1]!] }],
  [`-b 'a=1; b=2' ${url}`, { headers: [...own, ['Cookie', 'a=1; b=2']] }],
  [`-u joe:secret ${url}`, { headers: [['Authorization', 'Basic am9lOnNlY3JldA=='], ...own] }],
  ['http://joe:secret@shop.test/', { headers: [['Authorization', 'Basic am9lOnNlY3JldA=='], ...own] }],
  [`--oauth2-bearer abc ${url}`, { headers: [['Authorization', 'Bearer abc'], ...own] }],
  [`--compressed ${url}`, { headers: [...own, ['Accept-Encoding', 'deflate, gzip, br, zstd']] }],
  [`-r 0-9 ${url}`, { headers: [...own, ['Range', 'bytes=0-9']] }],
  [`-d a=1 -d b=2 ${url}`, { method: 'POST', body: 'a=1&b=2', headers: form }],
  [`--data-raw '@x' ${url}`, { method: 'POST', body: '@x', headers: form }],
  [`--data-binary $'a\\nb' ${url}`, { method: 'POST', body: 'a\nb', headers: form }],
  [
    `--data-urlencode 'q=a b&ü' --data-urlencode '=c d' --data-urlencode 'e/f' ${url}`,
    { method: 'POST', body: 'q=a%20b%26%C3%BC&c%20d&e%2Ff', headers: form },
  ],
  [`-X PUT -d a ${url}`, { method: 'PUT', body: 'a', headers: form }],
  [
    `-d '{}' -H 'content-type: application/json' ${url}`,
    { method: 'POST', body: '{}', headers: [...own, ['content-type', 'application/json']] },
  ],
  [
    `--json '{"a":' --json '1}' ${url}`,
    {
      method: 'POST',
      body: '{"a":1}',
      headers: [own[0]!, ['Accept', 'application/json'], ['Content-Type', 'application/json']],
    },
  ],
  [`-G -d a=1 -d b=2 ${url}`, { url: 'http://shop.test/?a=1&b=2' }],
  [
    `-G --data-urlencode "q=' or 1=1" 'http://shop.test/s?x=1'`,
    { url: 'http://shop.test/s?x=1&q=%27%20or%201%3D1' },
  ],
  [`--url-query 'a=b c' ${url}`, { url: 'http://shop.test/?a=b%20c' }],
  ['http://shop.test/a/../../etc/./passwd', { url: 'http://shop.test/etc/passwd' }],
  ['--path-as-is http://shop.test/a/../b', { url: 'http://shop.test/a/../b' }],
  [`-0 ${url}`, { protocol: 'HTTP/1.0' }],
  [`--data-binary $'\\xff' ${url}`, { method: 'POST', body: '/w==', isBase64: true, headers: form }],
  [`--no-progress-meter --no-keepalive ${url}`, {}],
]

test('the request of a command', () => {
  for (const [options, changes] of rows) {
    const read = readCurl(`curl ${options}`)
    assert.ok(read.ok, options)
    assert.deepEqual(read.value, { ...emptyDraft, url, headers: own, ...changes }, options)
    assert.deepEqual(read.notes, [], options)
  }
})

test('commands can begin with a prompt or path', () => {
  for (const start of ['curl', '$ curl', '/usr/bin/curl', 'curl.exe', '\n  curl'])
    assert.ok(readCurl(`${start} ${url}`).ok, start)
})

test('commands copied from a browser', () => {
  const read = readCurl(`curl 'https://shop.test/search' \\
  -H 'accept: text/html' \\
  -H 'user-agent: Mozilla/5.0' \\
  -b 'sid=1' \\
  --data-raw 'q=%27&x=1' \\
  --compressed ;`)
  assert.ok(read.ok)
  assert.deepEqual(read.value, {
    ...emptyDraft,
    method: 'POST',
    url: 'https://shop.test/search',
    headers: [
      ['Accept-Encoding', 'deflate, gzip, br, zstd'],
      ['Cookie', 'sid=1'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['accept', 'text/html'],
      ['user-agent', 'Mozilla/5.0'],
    ],
    body: 'q=%27&x=1',
  })
  assert.deepEqual(read.notes, [])
})

test('deviations from the command have notes', () => {
  const noted: readonly (readonly [command: string, part: string])[] = [
    [`curl ${url} http://other.test/`, 'several URLs'],
    [`curl --http2 ${url}`, 'HTTP/1.1'],
    [`curl ${url} | jq .`, 'Ignored everything'],
    [`curl -H "Authorization: Bearer $TOKEN" ${url}`, '$NAME'],
  ]
  for (const [command, part] of noted) {
    const read = readCurl(command)
    assert.ok(read.ok && read.notes.length === 1 && read.notes[0]!.includes(part), command)
  }
})

test('refused commands have a reason', () => {
  const refused: readonly (readonly [command: string, part: string])[] = [
    ['', 'Paste a curl command'],
    ['wget http://shop.test/', 'Not a curl command'],
    ['curl', 'no URL'],
    ['curl ftp://shop.test/', 'http:// or https://'],
    [`curl -F file=@a.png ${url}`, 'multipart'],
    [`curl --form-string a=b ${url}`, 'multipart'],
    [`curl -d @body.json ${url}`, 'names a file (body.json)'],
    [`curl --json @body.json ${url}`, 'names a file'],
    [`curl --data-urlencode a@b ${url}`, 'names a file'],
    [`curl -b cookies.txt ${url}`, 'names a file'],
    [`curl -H @headers ${url}`, 'names a file'],
    [`curl -T a ${url}`, 'names a file'],
    [`curl -K a ${url}`, 'file'],
    [`curl --digest -u a:b ${url}`, 'raw HTTP'],
    [`curl ${url} --next ${url}`, 'several requests'],
    [`curl --frobnicate ${url}`, 'Unknown option --frobnicate'],
    [`curl -y`, '-y needs a value'],
    [`curl -H nothing ${url}`, 'not a header'],
    [`curl -H`, '-H needs a value'],
    [`curl "${url}`, 'not closed'],
    [`curl ${url} ^\n -H "a: b"`, 'cURL (bash)'],
    [`curl $'http://shop.test/\\xff'`, 'Invalid UTF-8'],
  ]
  for (const [command, part] of refused) {
    const read = readCurl(command)
    assert.ok(!read.ok && read.reason.includes(part), `${command}: ${read.ok ? 'was read' : read.reason}`)
  }
})

test('the command of a draft sends the same request', () => {
  const drafts: readonly Partial<RequestDraft>[] = [
    {},
    { headers: own },
    { headers: [] },
    { method: 'HEAD' },
    { method: 'DELETE', url: 'https://shop.test/a/../b?c=[1]' },
    {
      method: 'POST',
      body: "it's\n$HOME `x` \\ é",
      headers: [
        ['Content-Type', 'text/plain'],
        ['X-Empty', ''],
      ],
    },
    { method: 'GET', body: 'a=1' },
    {
      method: 'POST',
      body: '/wA=',
      isBase64: true,
      headers: [
        ['Accept', 'a'],
        ['Accept', 'b'],
      ],
    },
    { protocol: 'HTTP/1.0', headers: [['X-Quote', `"'\\`]] },
  ]
  for (const changes of drafts) {
    const draft = { ...emptyDraft, url, ...changes }
    const read = readCurl(curlOf(draft))
    assert.ok(read.ok, curlOf(draft))
    assert.deepEqual(read.notes, [])
    const sorted = ({ headers, ...rest }: RequestDraft) => ({ ...rest, headers: headers.map(String).sort() })
    assert.deepEqual(sorted(read.value), sorted(draft), curlOf(draft))
  }
})

test('long and hostile commands terminate', () => {
  for (const unit of ["'a'", '\\', '"\\"', "$'", '-d a ', '&', '../', '-H a:b '])
    readCurl(`curl http://shop.test/${unit.repeat(50_000)}`)
  assert.equal(readCurl(`curl ${'a'.repeat(3_000_000)}`).ok, false)
})
