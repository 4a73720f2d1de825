import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiLower } from '../../kit/ascii.ts'
import { shareOf } from '../../kit/testing/share.ts'
import type { ByteSet } from '../../regex/index.ts'
import { wafLimits } from '../limits.ts'
import { toEnd } from '../steps.ts'
import { transformations } from './index.ts'

/** Parts that some transformation reacts to, or nearly does. */
const parts =
  `% + \\ & # x u 41 ff1c ; / .. . // /* */ -- --> <!-- lt gt amp quot nbsp LT &# &#x &lt; &#65; 0x 0X0 [ ] " ' ^
  , ( = - _ ABCD QUI \\u0041 \\101 \\x41 %u2018 %41 QUJDREVGRw 4142434 a bC`
    .split(/\s+/)
    .concat([
      ' ',
      '  ',
      '\t',
      '\n',
      '\v',
      '\f',
      '\0',
      '\xa0',
      '\xc3\xa9',
      '\xe4\xb8\xad',
      '\xf0\x9f\x98\x80',
      '\xff',
      '\xdf',
    ])

function randomBelow(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
}

/** Values of up to a dozen parts or bytes, sometimes of many; without parts that hold a byte of `without`. */
function* values(count: number, without?: ByteSet): Generator<string> {
  const random = randomBelow(20_127)
  const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
  const allowed = (text: string) =>
    without === undefined || ![...text].some(sign => without.has(sign.charCodeAt(0)))
  const usable = parts.filter(allowed)
  const usableBytes = bytes.filter(allowed)
  for (let round = 0; round < count; round++) {
    let value = ''
    for (let left = random(round % 100 === 0 ? 200 : 13); left > 0; left--) {
      value +=
        random(4) > 0 && usable.length > 0
          ? usable[random(usable.length)]!
          : (usableBytes[random(usableBytes.length)] ?? '')
    }
    yield value
  }
}

/** The longest output for a value of `length` bytes, if it is not the value's length. */
const longest: Readonly<Record<string, (length: number) => number>> = {
  base64Encode: length => Math.ceil(length / 3) * 4,
  hexEncode: length => length * 2,
  length: length => String(length).length,
  md5: () => 16,
  sha1: () => 20,
  urlEncode: length => length * 3,
  utf8toUnicode: length => length * 3,
}

/** Transformations that are idempotent. */
const settled = new Set([
  'cmdLine',
  'compressWhitespace',
  'lowercase',
  'normalisePath',
  'normalisePathWin',
  'normalizePath',
  'normalizePathWin',
  'parityEven7bit',
  'parityOdd7bit',
  'parityZero7bit',
  'removeNulls',
  'removeWhitespace',
  'replaceComments',
  'replaceNulls',
  'trim',
  'trimLeft',
  'trimRight',
  'uppercase',
  'utf8toUnicode',
])

test('any bytes give bytes, within the bound, the same every time', () => {
  for (const value of values(shareOf(8000))) {
    for (const [name, { apply, foldsCase }] of transformations) {
      const once = apply(value)
      const shown = `${name} ${JSON.stringify(value)}`
      for (let i = 0; i < once.length; i++) assert.ok(once.charCodeAt(i) <= 0xff, shown)
      assert.ok(once.length <= (longest[name]?.(value.length) ?? value.length), shown)
      assert.equal(apply(value), once, shown)
      if (settled.has(name)) assert.equal(apply(once), once, shown)
      if (foldsCase) assert.equal(asciiLower(once), once, shown)
    }
  }
})

test('pauses do not change the result, at any position', () => {
  const pausing = [...transformations].filter(([, { applyInSlices }]) => applyInSlices !== undefined)
  assert.ok(pausing.length > 20)
  for (const value of [...values(shareOf(12_000))].filter(value => value.length > 1)) {
    for (const [name, { apply, applyInSlices }] of pausing) {
      for (const bytes of [1, 3, 8, 50]) {
        assert.equal(toEnd(applyInSlices!(value, bytes)), apply(value), `${name} ${JSON.stringify(value)}`)
      }
    }
  }
})

test('there are pauses in long values', () => {
  const value = parts.join(' ').repeat(1500)
  for (const [name, { applyInSlices }] of transformations) {
    if (applyInSlices === undefined) continue
    const pauses = [...applyInSlices(value)].length
    assert.ok(pauses >= Math.floor(value.length / wafLimits.sliceBytes) - 1, `${name} pauses ${pauses} times`)
  }
})

test('a value without triggers stays unchanged, or becomes lower case', () => {
  for (const [name, { apply, triggers, foldsCase }] of transformations) {
    if (triggers === undefined) continue
    for (const value of values(shareOf(8000), triggers)) {
      const want = foldsCase ? asciiLower(value) : value
      assert.equal(apply(value), want, `${name} ${JSON.stringify(value)}`)
    }
  }
})

test('a result has only bytes of the value and bytes that are introduced', () => {
  for (const [name, { apply, introduces }] of transformations) {
    for (const value of values(shareOf(8000))) {
      const before = asciiLower(value)
      for (const sign of apply(value)) {
        const isKnown = before.includes(asciiLower(sign)) || introduces.has(sign.charCodeAt(0))
        assert.ok(isKnown, `${name} ${JSON.stringify(value)}`)
      }
    }
  }
})

test('each trigger changes some value without other triggers', () => {
  for (const [name, { apply, triggers }] of transformations) {
    for (let code = 0; code < 256; code++) {
      if (triggers?.has(code) !== true) continue
      const sign = String.fromCharCode(code)
      const candidates = [
        '',
        sign,
        '41',
        'lt',
        '/',
        '/../',
        '\x90',
        '\x90\x80',
        '\x80\x80\x80',
        '\xa0\x80',
        '\xa0\x80\x80',
        'a',
      ].flatMap(tail => [sign + tail, `/${sign}${tail}`, `0${sign}${tail}`, `a${sign}${tail}`])
      const alone = candidates.filter(value =>
        [...value].every(other => other === sign || !triggers.has(other.charCodeAt(0))),
      )
      assert.ok(
        alone.some(value => apply(value) !== asciiLower(value)),
        `${name} 0x${code.toString(16)}`,
      )
    }
  }
})

test('growing and reaching', () => {
  const grown = new Set<string>()
  for (const value of values(shareOf(8000))) {
    for (const [name, { apply, reaches }] of transformations) {
      const { length } = apply(value)
      if (length > value.length) grown.add(name)
      if (reaches === undefined) continue
      assert.deepEqual(
        [reaches(value, length), reaches(value, length + 1)],
        [true, false],
        `${name} ${JSON.stringify(value)}`,
      )
    }
  }
  assert.deepEqual(
    [...transformations].filter(([, { grows }]) => grows).map(([name]) => name),
    [...transformations.keys()].filter(name => grown.has(name)),
  )
})

test('long values of all kinds', () => {
  const size = 1 << 18
  for (const unit of [
    'a',
    '/',
    '../',
    '/*',
    '&',
    '&#',
    '\\',
    '%u',
    '[',
    '[]',
    '--',
    '<!--',
    ' ',
    '\0',
    '\xc3\xa9',
    '0x',
    parts.join(''),
  ]) {
    const value = unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
    for (const [name, { apply }] of transformations) {
      assert.ok(apply(value).length <= (longest[name]?.(size) ?? size), `${name} ${unit}`)
    }
  }
})
