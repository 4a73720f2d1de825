import assert from 'node:assert/strict'
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { certificateNames } from '../../kit/certificates.ts'
import { covers } from './certificates.ts'
import { readClientHello } from './client-hello.ts'
import { ja4 } from './ja4.ts'

const numbers = (text: string) => text.split(',').map(word => Number.parseInt(word, 16))

/** The example of FoxIO's description of JA4: a Chrome. GREASE values are ours. */
const chrome = {
  serverName: 'example.com',
  protocols: ['h2', 'http/1.1'],
  random: Buffer.alloc(32),
  ciphers: numbers('1a1a,1301,1302,1303,c02b,c02f,c02c,c030,cca9,cca8,c013,c014,009c,009d,002f,0035'),
  extensions: numbers(
    '2a2a,001b,0000,0033,0010,4469,0017,002d,000d,0005,0023,0012,002b,ff01,000b,000a,0015,3a3a',
  ),
  signatureAlgorithms: numbers('0403,0804,0401,0503,0805,0501,0806,0601'),
  versions: numbers('0a0a,0304,0303'),
}

test('JA4 of a known client', () => {
  assert.equal(ja4(chrome), 't13d1516h2_8daaf6152771_e5627efa2ab1')
})

test('JA4 of hellos without names, protocols, signature algorithms or anything', () => {
  const bare = {
    ...chrome,
    serverName: undefined,
    protocols: [],
    ciphers: [],
    extensions: [],
    signatureAlgorithms: [],
    versions: [0x0303],
  }
  assert.equal(ja4(bare), 't12i000000_000000000000_000000000000')
  assert.match(ja4({ ...chrome, protocols: ['\x0a\x0b'] }), /^t13d15160b_/)
  assert.match(ja4({ ...chrome, ciphers: numbers('1301').concat(Array(120).fill(0x1302)) }), /^t13d9916h2_/)
})

test('a ClientHello is read however it is cut', async () => {
  const bytes = await recordedHello()
  const whole = readClientHello(bytes)
  assert.equal(whole.kind, 'hello')
  const { hello } = whole as Extract<typeof whole, { kind: 'hello' }>
  assert.equal(hello.serverName, 'shop.test')
  assert.deepEqual(hello.protocols, ['h2', 'http/1.1'])
  assert.ok(hello.versions.includes(0x0304) && hello.ciphers.includes(0x1301))
  for (let length = 0; length < bytes.length; length++)
    assert.equal(readClientHello(bytes.subarray(0, length)).kind, 'partial', `${length} bytes`)
  // The same message in records of 7 bytes.
  const message = bytes.subarray(5)
  const records: Buffer[] = []
  for (let at = 0; at < message.length; at += 7) {
    const part = message.subarray(at, at + 7)
    records.push(Buffer.from([22, 3, 1, 0, part.length]), part)
  }
  const cut = readClientHello(Buffer.concat(records))
  assert.deepEqual(cut, whole)
})

test('no change of a byte makes the reader of a ClientHello throw', async () => {
  const bytes = await recordedHello()
  for (let at = 0; at < bytes.length; at++) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const changed = Buffer.from(bytes)
      changed[at] = value
      assert.ok(['hello', 'partial', 'malformed'].includes(readClientHello(changed).kind))
    }
  }
})

test('a certificate covers its names, and one label for a wildcard', () => {
  const names = certificateNames({
    subjectAltName: 'DNS:Shop.test, DNS:*.shop.test, IP Address:127.0.0.1',
  })
  const certificate = { names, standsForAll: false, options: {} }
  const rows: [string, boolean][] = [
    ['shop.test', true],
    ['www.shop.test', true],
    ['a.www.shop.test', false],
    ['.shop.test', false],
    ['127.0.0.1', true],
    ['test', false],
  ]
  for (const [host, covered] of rows) assert.equal(covers(certificate, host), covered, host)
})

/** The ClientHello of node's own client. */
async function recordedHello(): Promise<Buffer> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const received = new Promise<Buffer>(resolve =>
    server.once('connection', socket =>
      socket.once('data', (bytes: Buffer) => {
        socket.destroy()
        resolve(bytes)
      }),
    ),
  )
  const raw = connectTcp((server.address() as AddressInfo).port, '127.0.0.1')
  const client = connectTls({ socket: raw, servername: 'shop.test', ALPNProtocols: ['h2', 'http/1.1'] })
  client.on('error', () => {})
  const bytes = await received
  client.destroy()
  server.close()
  return bytes
}
