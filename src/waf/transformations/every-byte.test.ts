import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiLower } from '../../kit/ascii.ts'
import { transformations } from './index.ts'
import { percentDecode } from './url-decode.ts'

const bytes = Array.from({ length: 256 }, (_, byte) => byte)
const charOf = (byte: number) => String.fromCharCode(byte)
const hexOf = (byte: number) => byte.toString(16).padStart(2, '0')
const octalOf = (byte: number) => byte.toString(8).padStart(3, '0')

/** Checks the result, and that a changed value holds a trigger: without one, rules skip the transformation. */
function check(name: string, input: string, want: string): void {
  const { apply, triggers, foldsCase } = transformations.get(name)!
  const shown = `${name} ${JSON.stringify(input)}`
  assert.equal(apply(input), want, shown)
  if (triggers === undefined || want === (foldsCase ? asciiLower(input) : input)) return
  assert.ok(
    [...input].some(char => triggers.has(char.charCodeAt(0))),
    `${shown} has no trigger`,
  )
}

/** Every spelling of one byte. */
const escapes: Readonly<Record<string, readonly ((byte: number) => string)[]>> = {
  urlDecode: [byte => `%${hexOf(byte)}`, byte => `%${hexOf(byte).toUpperCase()}`],
  urlDecodeUni: [byte => `%${hexOf(byte)}`, byte => `%${hexOf(byte).toUpperCase()}`],
  jsDecode: [byte => `\\x${hexOf(byte)}`, byte => `\\u00${hexOf(byte)}`, byte => `\\${octalOf(byte)}`],
  escapeSeqDecode: [
    byte => `\\x${hexOf(byte)}`,
    byte => `\\X${hexOf(byte)}`,
    byte => `\\${octalOf(byte)}`,
    byte => `\\${octalOf(byte + 256)}`,
  ],
  cssDecode: [byte => `\\${hexOf(byte)}`, byte => `\\0000${hexOf(byte)}`, byte => `\\${hexOf(byte)}\n`],
  htmlEntityDecode: [
    byte => `&#x${hexOf(byte)};`,
    byte => `&#X${hexOf(byte)}`,
    byte => `&#${byte};`,
    byte => `&#${byte}`,
    byte => `&#${byte + 256}`,
  ],
  sqlHexDecode: [byte => `0x${hexOf(byte)}`, byte => `0X${hexOf(byte).toUpperCase()}`],
}

for (const [name, spellings] of Object.entries(escapes)) {
  test(`${name}: every byte in every spelling`, () => {
    for (const byte of bytes)
      for (const spelled of spellings) {
        check(name, spelled(byte), charOf(byte))
        check(name, `a${spelled(byte)}!${spelled(byte)}-z`, `a${charOf(byte)}!${charOf(byte)}-z`)
      }
  })
}

/** The result of an escape with `?` for a hex digit. */
const broken: readonly (readonly [name: string, input: string, want: string])[] = [
  ['urlDecode', '%?1', '%?1'],
  ['urlDecode', '%1?', '%1?'],
  ['urlDecodeUni', '%?1', '%?1'],
  ['urlDecodeUni', '%1?', '%1?'],
  ['urlDecodeUni', '%u?041', '%u?041'],
  ['urlDecodeUni', '%u004?', '%u004?'],
  ['jsDecode', '\\x?1', 'x?1'],
  ['jsDecode', '\\x1?', 'x1?'],
  ['jsDecode', '\\u?041', 'u?041'],
  ['jsDecode', '\\u004?', 'u004?'],
  ['escapeSeqDecode', '\\x?1', 'x?1'],
  ['escapeSeqDecode', '\\x1?', 'x1?'],
  ['cssDecode', '\\41?', 'A?'],
  ['htmlEntityDecode', '&#x41?', 'A?'],
  ['htmlEntityDecode', '&#x?;', '&#x?;'],
  ['sqlHexDecode', '0x?1', '0x?1'],
  ['sqlHexDecode', '0x4?', '0x4?'],
]

test('the neighbours of the hex digits are no digits', () => {
  for (const neighbour of ['/', ':', '@', 'G', '`', 'g', '\x10', '\x19', '\xc1', '\xe1'])
    for (const [name, input, want] of broken)
      check(name, input.replace('?', neighbour), want.replace('?', neighbour))
})

test('an escape cut off by the end of the value stays', () => {
  for (const value of ['%', '%4', '%u', '%u004', '%%']) check('urlDecodeUni', value, value)
  for (const value of ['%', '%4', '%%']) check('urlDecode', value, value)
  for (const value of ['&', '&#', '&#x', '&lx', '&ampx']) check('htmlEntityDecode', value, value)
  for (const value of ['0', '0x', '0x4', 'x41']) check('sqlHexDecode', value, value)
})

test('each byte alone', () => {
  for (const byte of bytes) {
    const char = charOf(byte)
    const isLetterOrDigit = /[A-Za-z0-9]/.test(char)
    const isSpace = ' \t\n\v\f\r'.includes(char)
    const input = `${char}a${char}`
    const each = (name: string, change: (char: string) => string) =>
      check(name, input, [...input].map(change).join(''))
    each('lowercase', part => (/[A-Z]/.test(part) ? part.toLowerCase() : part))
    each('uppercase', part => (/[a-z]/.test(part) ? part.toUpperCase() : part))
    each('urlEncode', part => {
      if (part === 'a' || isLetterOrDigit || part === '*') return part
      return part === ' ' ? '+' : `%${hexOf(byte)}`
    })
    each('hexEncode', part => Buffer.from(part, 'latin1').toString('hex'))
    each('removeNulls', part => (part === '\0' ? '' : part))
    each('replaceNulls', part => (part === '\0' ? ' ' : part))
    each('removeWhitespace', part => (part === char && (isSpace || char === '\xa0') ? '' : part))
    each('compressWhitespace', part => (part === char && (isSpace || char === '\xa0') ? ' ' : part))
    each('parityZero7bit', part => charOf(part.charCodeAt(0) & 0x7f))
    for (const [name, odd] of [
      ['parityEven7bit', 0],
      ['parityOdd7bit', 1],
    ] as const)
      each(name, part => {
        const low = part.charCodeAt(0) & 0x7f
        const ones = low.toString(2).replaceAll('0', '').length
        return charOf(ones % 2 === odd ? low : low | 0x80)
      })
    check('trim', input, isSpace ? 'a' : input)
    check('trimLeft', input, isSpace ? `a${char}` : input)
    check('trimRight', input, isSpace ? `${char}a` : input)
    check('hexDecode', hexOf(byte) + hexOf(255 - byte).toUpperCase(), charOf(byte) + charOf(255 - byte))
  }
})

test('base64 agrees with another implementation', () => {
  for (let length = 0; length < 12; length++)
    for (const byte of bytes) {
      const value = Array.from({ length }, (_, i) => charOf((byte + i * 37) & 0xff)).join('')
      const encoded = Buffer.from(value, 'latin1').toString('base64')
      const bare = encoded.replaceAll('=', '')
      check('base64Encode', value, encoded)
      for (const text of [encoded, bare, `${bare}.QUJD`]) check('base64Decode', text, value)
      check('base64DecodeExt', `.${[...bare].join('-')}=`, value)
    }
})

const escaped = (code: number) => `%u${code.toString(16).padStart(4, '0')}`

test('every UTF-8 character at the edge of a range', () => {
  const codes = [
    0x80, 0xff, 0x7ff, 0x800, 0xfff, 0xd7ff, 0xe000, 0xffff, 0x10000, 0xfffff, 0x100000, 0x10ffff,
  ]
  for (const code of [...codes, ...bytes.map(byte => 0xc0 + byte), ...bytes.map(byte => byte << 12)]) {
    if (code < 0x80 || (code >= 0xd800 && code < 0xe000)) continue
    const value = Buffer.from(String.fromCodePoint(code)).toString('latin1')
    check('utf8toUnicode', `a${value}b${value}`, `a${escaped(code)}b${escaped(code)}`)
    check('utf8toUnicode', value.slice(0, -1), value.slice(0, -1))
  }
})

test('a path or a file name: `%HH` is decoded and `+` stays', () => {
  for (const byte of bytes) {
    const sign = `%${hexOf(byte)}`
    assert.equal(percentDecode(sign), charOf(byte))
    assert.equal(percentDecode(`a+${sign}b${sign}c`), `a+${charOf(byte)}b${charOf(byte)}c`)
  }
  for (const value of ['', 'plain+', '%', '%4', '%zz', '%4z', '%z4', '%%'])
    assert.equal(percentDecode(value), value)
  assert.equal(percentDecode('%%41%4x%42%'), '%A%4xB%')
})
