import { endStream, type Fields, fieldBlock, frame, frameTypes, get, headers } from './http2-frames.ts'

/** One request, as a client of each version of HTTP sends it. */
export interface RequestCase {
  readonly name: string
  /** Of HTTP/1.1. */
  readonly text: string
  /** The status of its response. */
  readonly want: number
  /** Frames on the first stream; or the reason why HTTP/2 cannot express the request. */
  readonly http2: Http2Case | string
}

export interface Http2Case {
  readonly frames: Buffer
  /** A status; `reset` of the stream, or the end of the connection. Neither is recorded when no handler saw the request. */
  readonly want: number | 'reset' | 'closed'
}

/** Limits that the cases know. */
export const caseLimits = { headersMax: 10, headerBytesMax: 8192 }

const host = 'Host: site.test\r\n'
const byFrames = 'frames delimit the body'
const noVersion = 'the connection decides about the version'

/** A request of `get` with other fields. Headers of a name in `get` replace it. */
export function fields(...changed: Fields): Fields {
  const names = new Set(changed.map(([name]) => name))
  const pseudo = changed.filter(([name]) => name.startsWith(':'))
  return [
    ...pseudo,
    ...get.filter(([name]) => !names.has(name)),
    ...changed.filter(([name]) => !name.startsWith(':')),
  ]
}

/** Frames of a request with those fields. */
export function request(all: Fields, body?: string): Buffer {
  const head = headers(1, fieldBlock(all), body === undefined ? endStream : 0)
  return body === undefined ? head : Buffer.concat([head, data(body)])
}

export function data(body: string, flags: number = endStream): Buffer {
  return frame(frameTypes.data, flags, 1, Buffer.from(body, 'latin1'))
}

const post = [':method', 'POST'] as const
const many = (count: number): Fields => Array.from({ length: count }, () => ['a', 'b'] as const)

/** Each also has to end as the row says when it is the only request of its connection. */
export const requestCases: readonly RequestCase[] = [
  {
    name: 'plain',
    text: `GET / HTTP/1.1\r\n${host}\r\n`,
    want: 200,
    http2: { frames: request(get), want: 200 },
  },
  {
    name: 'HTTP/1.0 without Host',
    text: 'GET http://site.test/ HTTP/1.0\r\n\r\n',
    want: 200,
    http2: noVersion,
  },
  {
    name: 'absolute target',
    text: `GET http://site.test/a HTTP/1.1\r\nHost: other.example\r\n\r\n`,
    want: 200,
    http2: { frames: request(fields([':path', 'http://zone.test/a'])), want: 'reset' },
  },
  {
    name: 'OPTIONS *',
    text: `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    want: 204,
    http2: { frames: request(fields([':method', 'OPTIONS'], [':path', '*'])), want: 204 },
  },
  {
    name: 'GET *',
    text: `GET * HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':path', '*'])), want: 'reset' },
  },
  {
    name: 'no Host',
    text: 'GET http://site.test/ HTTP/1.1\r\n\r\n',
    want: 400,
    http2: { frames: request(get.filter(([name]) => name !== ':authority')), want: 'reset' },
  },
  {
    name: 'two Hosts',
    text: `GET / HTTP/1.1\r\n${host}${host}\r\n`,
    want: 400,
    http2: { frames: request([...get, ['host', 'zone.test'], ['host', 'zone.test']]), want: 'reset' },
  },
  {
    name: 'empty Host',
    text: 'GET / HTTP/1.1\r\nHost:\r\n\r\n',
    want: 400,
    http2: { frames: request(fields([':authority', ''])), want: 'reset' },
  },
  {
    name: 'Host with an escape',
    text: 'GET / HTTP/1.1\r\nHost: site.test%00\r\n\r\n',
    want: 400,
    http2: { frames: request(fields([':authority', 'zone.test%00'])), want: 400 },
  },
  {
    name: 'Host with a space',
    text: 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
    want: 400,
    http2: { frames: request(fields([':authority', 'a b'])), want: 'reset' },
  },
  {
    name: 'Host with two names',
    text: 'GET / HTTP/1.1\r\nHost: site.test, other.test\r\n\r\n',
    want: 400,
    http2: { frames: request(fields([':authority', 'zone.test, other.test'])), want: 'reset' },
  },
  {
    name: 'Host with a user',
    text: 'GET / HTTP/1.1\r\nHost: user@site.test\r\n\r\n',
    want: 400,
    http2: { frames: request(fields([':authority', 'user@zone.test'])), want: 'reset' },
  },
  {
    name: 'length and chunks',
    text: `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    want: 400,
    http2: {
      frames: request(fields(post, ['content-length', '5'], ['transfer-encoding', 'chunked']), '0\r\n\r\n'),
      want: 'reset',
    },
  },
  {
    name: 'chunks in HTTP/1.0',
    text: `POST / HTTP/1.0\r\n${host}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    want: 400,
    http2: noVersion,
  },
  {
    name: 'chunks',
    text: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`,
    want: 200,
    http2: {
      frames: request(fields(post, ['transfer-encoding', 'chunked']), '0\r\n\r\n'),
      want: 'reset',
    },
  },
  {
    name: 'compressed chunks',
    text: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    want: 501,
    http2: {
      frames: request(fields(post, ['transfer-encoding', 'gzip, chunked']), '0\r\n\r\n'),
      want: 'reset',
    },
  },
  {
    name: 'two lengths',
    text: `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    want: 400,
    http2: {
      frames: request(fields(post, ['content-length', '1'], ['content-length', '2']), 'ab'),
      want: 'reset',
    },
  },
  ...['x', '+3', '-1', '0x3', '3, 3', '99999999999999999999'].map(length => ({
    name: `length ${length}`,
    text: `POST / HTTP/1.1\r\n${host}Content-Length: ${length}\r\n\r\na=b`,
    want: 400,
    http2: { frames: request(fields(post, ['content-length', length]), 'a=b'), want: 'reset' as const },
  })),
  {
    name: 'invalid chunks',
    text: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    want: 400,
    http2: byFrames,
  },
  {
    name: 'folded header',
    text: `GET / HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`,
    want: 400,
    http2: 'fields are not lines: see the fields that are dropped',
  },
  {
    name: 'fragment',
    text: `GET /#a HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':path', '/#a'])), want: 400 },
  },
  {
    name: 'target that is no path',
    text: `GET a HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':path', 'a'])), want: 'reset' },
  },
  {
    name: 'target with a space',
    text: `GET /a b HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':path', '/a b'])), want: 'reset' },
  },
  {
    name: 'target with a line end',
    text: `GET /a\r b HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':path', '/a HTTP/1.1\r\nHost: other.test'])), want: 'reset' },
  },
  {
    name: 'target with a byte outside of ASCII',
    text: `GET /\xff HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':path', '/\xff'])), want: 400 },
  },
  {
    name: 'target with another scheme',
    text: `GET ftp://site.test/ HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':scheme', 'ftp'])), want: 400 },
  },
  {
    name: 'CONNECT without port',
    text: `CONNECT site.test HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: {
      frames: request([
        [':method', 'CONNECT'],
        [':authority', 'zone.test'],
      ]),
      want: 400,
    },
  },
  {
    name: 'CONNECT',
    text: `CONNECT site.test:80 HTTP/1.1\r\n${host}\r\n`,
    want: 405,
    http2: {
      frames: request([
        [':method', 'CONNECT'],
        [':authority', 'zone.test:80'],
      ]),
      want: 405,
    },
  },
  {
    name: 'unknown method',
    text: `FROB / HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':method', 'FROB'])), want: 400 },
  },
  {
    name: 'method in lower case',
    text: `get / HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':method', 'get'])), want: 400 },
  },
  {
    name: 'method with a space',
    text: `G ET / HTTP/1.1\r\n${host}\r\n`,
    want: 400,
    http2: { frames: request(fields([':method', 'G ET'])), want: 'reset' },
  },
  {
    name: 'not HTTP',
    text: 'hello\r\n\r\n',
    want: 400,
    http2: { frames: Buffer.from('hello\r\n\r\n'), want: 'closed' },
  },
  { name: 'HTTP/0.9', text: `GET / HTTP/0.9\r\n${host}\r\n`, want: 400, http2: noVersion },
  { name: 'HTTP/2.0', text: `GET / HTTP/2.0\r\n${host}\r\n`, want: 200, http2: noVersion },
  { name: 'other version', text: `GET / JUNK/1.0\r\n${host}\r\n`, want: 400, http2: noVersion },
  {
    name: 'header lines at the limit',
    text: `GET / HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(9)}\r\n`,
    want: 200,
    http2: { frames: request([...get, ...many(9)]), want: 200 },
  },
  {
    name: 'header lines above the limit',
    text: `GET / HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(10)}\r\n`,
    want: 431,
    http2: { frames: request([...get, ...many(10)]), want: 431 },
  },
  {
    name: 'many more header lines',
    text: `GET / HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(30)}\r\n`,
    want: 431,
    http2: { frames: request([...get, ...many(30)]), want: 'reset' },
  },
  {
    name: 'headers too long',
    text: `GET / HTTP/1.1\r\n${host}A: ${'b'.repeat(9000)}\r\n\r\n`,
    want: 431,
    http2: { frames: request([...get, ['a', 'b'.repeat(9000)]]), want: 431 },
  },
  {
    name: 'headers much too long',
    text: `GET / HTTP/1.1\r\n${host}A: ${'b'.repeat(70_000)}\r\n\r\n`,
    want: 431,
    http2: { frames: request([...get, ['a', 'b'.repeat(70_000)]]), want: 'closed' },
  },
  ...['', '\xff', 'x y', 'x ', 'x\0'].map(name => ({
    name: `header name ${JSON.stringify(name)}`,
    text: `GET / HTTP/1.1\r\n${host}${name}: a\r\n\r\n`,
    want: 400,
    http2: 'node drops the field: see the fields that are dropped',
  })),
  ...['a\0', 'a\rb', 'a\x01'].map(value => ({
    name: `header value ${JSON.stringify(value)}`,
    text: `GET / HTTP/1.1\r\n${host}X: ${value}\r\n\r\n`,
    want: 400,
    http2: 'node drops the field: see the fields that are dropped',
  })),
]
