import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decryptMatchedData,
  encryptMatchedData,
  isMatchedDataKey,
  MatchedDataError,
  newMatchedDataKeys,
} from './matched-data.ts'

/** @source cloudflare/matched-data-cli */
const upstream = {
  privateKey: 'uBS5eBttHrqkdY41kbZPdvYnNz8Vj0TvKIUpjB1y/GA=',
  publicKey: 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8=',
  encrypted:
    'AzTY6FHajXYXuDMUte82wrd+1n5CEHPoydYiyd3FMg5IEQAAAAAAAAA0lOhGXBclw8pWU5jbbYuepSIJN5JohTtZekLliJBlVWk=',
  text: 'test matched data',
}

/** The encrypted text with its bytes changed. */
function changed(change: (bytes: Buffer) => Uint8Array): string {
  return Buffer.from(change(Buffer.from(upstream.encrypted, 'base64'))).toString('base64')
}

function flipped(at: number): string {
  return changed(bytes => bytes.fill(bytes[at]! ^ 1, at, at + 1))
}

test('text that other programs encrypted is decrypted', async () => {
  assert.equal(await decryptMatchedData(upstream.privateKey, upstream.encrypted), upstream.text)
  assert.equal(
    await decryptMatchedData(`${upstream.privateKey}\n`, ` ${upstream.encrypted}\r\n`),
    upstream.text,
  )
})

test('the encrypted layout is the one that others read, and differs each time', async () => {
  const [one, two] = await Promise.all([
    encryptMatchedData(upstream.publicKey, upstream.text),
    encryptMatchedData(upstream.publicKey, upstream.text),
  ])
  assert.notEqual(one, two)
  const bytes = Buffer.from(one, 'base64')
  assert.equal(bytes.length, 57 + upstream.text.length)
  assert.equal(bytes[0], 3)
  assert.equal(bytes.readBigUInt64LE(33), BigInt(upstream.text.length))
  assert.equal(await decryptMatchedData(upstream.privateKey, one), upstream.text)
})

test('texts of every kind come back', async () => {
  const keys = await newMatchedDataKeys()
  assert.ok(isMatchedDataKey(keys.privateKey) && isMatchedDataKey(keys.publicKey))
  for (const text of ['', 'é🧱\0', 'x'.repeat(40_000)])
    assert.equal(
      await decryptMatchedData(keys.privateKey, await encryptMatchedData(keys.publicKey, text)),
      text,
    )
})

test('a failed decryption states the reason', async t => {
  const other = (await newMatchedDataKeys()).privateKey
  const { privateKey, encrypted } = upstream
  const rows: [name: string, key: string, encrypted: string, message: RegExp][] = [
    ['another key', other, encrypted, /another key/],
    ['a changed byte', privateKey, flipped(50), /was changed/],
    ['a changed tag', privateKey, flipped(73), /was changed/],
    ['an encapsulated key of zeros', privateKey, changed(bytes => bytes.fill(0, 1, 33)), /was changed/],
    ['another version', privateKey, changed(bytes => bytes.fill(2, 0, 1)), /version 2, and only 3/],
    ['nothing', privateKey, '', /is empty/],
    ['one byte', privateKey, changed(bytes => bytes.subarray(0, 1)), /cut off: 1 bytes instead of 57/],
    ['a head and no tag', privateKey, changed(bytes => bytes.subarray(0, 56)), /cut off: 56 /],
    [
      'a byte too few',
      privateKey,
      changed(bytes => bytes.subarray(0, 73)),
      /cut off: 73 bytes instead of 74/,
    ],
    ['a byte too many', privateKey, changed(bytes => Buffer.concat([bytes, Buffer.of(0)])), /too long: 75 /],
    ['a length beyond all', privateKey, changed(bytes => bytes.fill(255, 33, 41)), /cut off/],
    ['truncated', privateKey, 'truncated', /too large to be encrypted/],
    ['no base64', privateKey, 'a?==', /no base64/],
    ['base64 cut in the middle', privateKey, encrypted.slice(0, -1), /no base64/],
    ['a short key', 'abcd', encrypted, /private key is not/],
    ['a key without padding', privateKey.slice(0, -1), encrypted, /private key is not/],
  ]
  for (const [name, key, text, message] of rows)
    await t.test(name, () =>
      assert.rejects(decryptMatchedData(key, text), error => {
        assert.ok(error instanceof MatchedDataError)
        assert.match(error.message, message)
        return true
      }),
    )
  await assert.rejects(encryptMatchedData('', 'x'), /public key is not/)
})
