import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { pageAsHeader, pageFromHeader } from './kept-page.ts'

const bytesMax = 1000
const packed = (page: unknown) => deflateRawSync(JSON.stringify(page)).toString('base64url')

test('a page survives the way through a header', () => {
  const page = { status: 403, headers: [['X-A', 'b']], body: Buffer.from('é\0', 'latin1') } as const
  assert.deepEqual(pageFromHeader(pageAsHeader(page), bytesMax), page)
})

test('a header that no response can be made of is refused', () => {
  const wrong = [
    ['403', [], ''],
    [99, [], ''],
    [1000, [], ''],
    [403, [['a b', 'c']], ''],
    [403, [['a', 'b\r\nc: d']], ''],
    [403, [['a']], ''],
    [403, [['Trailer', 'a']], ''],
    [403, [['Transfer-Encoding', 'chunked']], ''],
    [403, [['Content-Length', '5']], ''],
    [403, {}, ''],
    [403, [], 7],
    { status: 403 },
  ]
  for (const page of wrong)
    assert.equal(pageFromHeader(packed(page), bytesMax), undefined, JSON.stringify(page))
  assert.equal(pageFromHeader('AAAA', bytesMax), undefined)
  assert.equal(pageFromHeader(packed([403, [], 'x'.repeat(2000)]), bytesMax), undefined)
})
