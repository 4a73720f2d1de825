import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UsageError } from '../../usage.ts'
import { parseRequestText } from './request-text.ts'

function parsed(text: string) {
  const { method, target, protocol, headers, body, notes } = parseRequestText(Buffer.from(text, 'latin1'))
  return {
    line: `${method} ${target} ${protocol}`,
    headers: headers.map(header => header.join('=')),
    body: Buffer.from(body).toString('latin1'),
    notes,
  }
}

describe('a request as text', () => {
  const rows = [
    { name: 'LF', text: 'GET /?a=1 HTTP/1.1\nHost: a.test\n\n', headers: ['Host=a.test'] },
    { name: 'CRLF', text: 'GET /?a=1 HTTP/1.1\r\nHost: a.test\r\n\r\n', headers: ['Host=a.test'] },
    { name: 'no empty line', text: 'GET /?a=1 HTTP/1.1\nHost: a.test', headers: ['Host=a.test'] },
    { name: 'no headers', text: 'GET /?a=1 HTTP/1.1\n\n', headers: [] },
    { name: 'only the first line', text: 'GET /?a=1 HTTP/1.1', headers: [] },
    { name: 'empty lines before it', text: '\r\n\nGET /?a=1 HTTP/1.1\n', headers: [] },
    {
      name: 'repeated, empty and padded headers, bytes',
      text: 'GET /?a=1 HTTP/1.1\nA:1\na: \t2 \nB:\nC: \xe4:x\n',
      headers: ['A=1', 'a=2', 'B=', 'C=\xe4:x'],
    },
  ]
  for (const { name, text, headers } of rows) {
    it(name, () => {
      assert.deepEqual(parsed(text), { line: 'GET /?a=1 HTTP/1.1', headers, body: '', notes: [] })
    })
  }

  const bodies = [
    { name: 'no length', head: '', body: 'a=1', want: 'a=1', added: true },
    { name: 'no length, a final line ending', head: '', body: 'a=1\n', want: 'a=1', added: true },
    { name: 'no length, two of them', head: '', body: 'a=1\r\n\r\n', want: 'a=1\r\n', added: true },
    { name: 'nothing but a line ending', head: '', body: '\n', want: '' },
    { name: 'chunked', head: 'Transfer-Encoding: chunked\n', body: '3\na=1\n', want: '3\na=1' },
    { name: 'a length', head: 'Content-Length: 3\n', body: 'a=1', want: 'a=1' },
    { name: 'a length that leaves the end out', head: 'content-length: 3\n', body: 'a=1\r\n', want: 'a=1' },
    { name: 'a length that counts the end', head: 'Content-Length: 5\n', body: 'a=1\r\n', want: 'a=1\r\n' },
    { name: 'a length that is too low', head: 'Content-Length: 2\n', body: 'a=1', want: 'a=1', wrong: true },
    {
      name: 'a length that is too high',
      head: 'Content-Length: 4\n',
      body: 'a=1',
      want: 'a=1',
      wrong: true,
    },
    { name: 'a length of nothing', head: 'Content-Length: 0\n', body: '', want: '' },
  ]
  for (const { name, head, body, want, added = false, wrong = false } of bodies) {
    it(`body: ${name}`, () => {
      const result = parsed(`POST / HTTP/1.0\n${head}\n${body}`)
      assert.equal(result.body, want)
      assert.deepEqual(
        result.headers.slice(head === '' ? 0 : 1),
        added ? [`Content-Length=${want.length}`] : [],
      )
      assert.match(result.notes.join(), added ? /was added/ : wrong ? /all are inspected/ : /^$/)
    })
  }

  const mistakes = [
    { name: 'nothing', text: '', says: /is empty/ },
    { name: 'only line endings', text: '\n\r\n', says: /is empty/ },
    { name: 'no protocol', text: 'GET /', says: /line 1 .*not a request line/ },
    { name: 'a blank in the path', text: '\nGET /a b HTTP/1.1', says: /line 2 .*%20/ },
    { name: 'no colon', text: 'GET / HTTP/1.1\nHost: a\nb\n', says: /line 3 .*not a header/ },
    { name: 'a folded header', text: 'GET / HTTP/1.1\nA: a\n b: c\n', says: /line 3 .*one line/ },
    { name: 'a header without a name', text: 'GET / HTTP/1.1\n: c\n', says: /line 2 / },
  ]
  for (const { name, text, says } of mistakes) {
    it(`refused: ${name}`, () => {
      assert.throws(
        () => parsed(text),
        error => error instanceof UsageError && says.test(error.message),
      )
    })
  }
})
