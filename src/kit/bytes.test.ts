import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfText, stringOfBytes, textOfBytes } from './bytes.ts'

test('texts and byte strings', () => {
  const rows: [name: string, text: string, bytes: string][] = [
    ['nothing', '', ''],
    ['the last ASCII code', '\x00a\x7f', '\x00a\x7f'],
    ['the first code of two bytes', '\x80', '\xc2\x80'],
    ['a letter', 'é', '\xc3\xa9'],
    ['three bytes', '€', '\xe2\x82\xac'],
    ['four bytes', '𝄞', '\xf0\x9d\x84\x9e'],
    ['a byte order mark', '\ufeffa', '\xef\xbb\xbfa'],
  ]
  for (const [name, text, bytes] of rows) {
    assert.equal(bytesOfText(text), bytes, name)
    assert.equal(textOfBytes(bytes), text, name)
  }
})

test('invalid text and bytes become U+FFFD', () => {
  assert.equal(bytesOfText('a\ud800'), 'a\xef\xbf\xbd')
  for (const bytes of ['\xff', '\xc3', 'a\xe2\x82', '\xed\xa0\x80'])
    assert.match(textOfBytes(bytes), /\ufffd/)
})

test('short and long texts', () => {
  for (const length of [1023, 1024, 1025, 3072, 3073]) {
    const text = '€'.repeat(length)
    assert.equal(bytesOfText(text), '\xe2\x82\xac'.repeat(length))
    assert.equal(textOfBytes(bytesOfText(text)), text)
  }
})

test('bytes of every length, including those where the copying method changes', () => {
  for (const length of [0, 1, 8, 9, 8192, 8193]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i % 256)
    const text = stringOfBytes(bytes)
    assert.equal(text.length, length)
    assert.ok(bytes.every((byte, i) => text.charCodeAt(i) === byte))
    assert.equal(stringOfBytes(bytes, length >> 1), text.slice(0, length >> 1))
  }
})
