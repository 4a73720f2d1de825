import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asciiOf } from './code-page-20127.ts'

/** The characters for each sign. */
const charactersBySign: Readonly<Record<string, string>> = {
  ' ': '\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006',
  '!': '¡',
  '"': '\u02ba\u030e\u201c\u201d\u201e',
  $: '¤',
  "'": '\u02b9\u02bc\u02c8\u2018\u2019\u2032',
  ',': '\u00b8\u201a',
  '-': '\u00ad\u2010\u2011\u2013\u2014',
  '.': '·•…',
  '1': '¹',
  '2': '²',
  '3': '³',
  '<': '«‹',
  '>': '»›',
  A: 'ÀÁÂÃÄÅÆĀĂĄǍǞ',
  C: '©ÇĆĈĊČ',
  D: 'ÐĎĐƉ',
  E: 'ÈÉÊËĒĔĖĘĚ',
  F: 'Ƒ',
  G: 'ĜĞĠĢǤǦ',
  H: 'ĤĦ',
  I: 'ÌÍÎÏĨĪĬĮİƗǏ',
  J: 'Ĵ',
  K: 'ĶǨ',
  L: 'ĹĻĽŁ',
  N: 'ÑŃŅŇ',
  O: 'ÒÓÔÕÖØŌŎŐŒƟƠǑǪǬ',
  R: '®ŔŖŘ',
  S: 'ŚŜŞŠ',
  T: 'ŢŤŦƮ™',
  U: 'ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛ',
  W: 'Ŵ',
  Y: '¥ÝŶŸ',
  Z: 'ŹŻŽ',
  '^': '\u02c4\u02c6\u0302',
  _: '\u02cd\u0331\u0332',
  '`': '\u02cb\u0300\u2035',
  a: 'ªàáâãäåæāăąǎǟ',
  b: 'ƀ',
  c: '¢çćĉċč',
  d: 'ďđ',
  e: 'èéêëēĕėęě',
  f: 'ƒ',
  g: 'ĝğġģǥǧɡ',
  h: 'ĥħ',
  i: 'ìíîïĩīĭįıǐ',
  j: 'ĵǰ',
  k: 'ķǩ',
  l: 'ĺļľłƚ',
  n: 'ñńņň',
  o: 'ºòóôõöøōŏőœơǒǫǭ',
  r: 'ŕŗř',
  s: 'śŝşš',
  t: 'ţťŧƫ',
  u: 'ùúûüũūŭůűųưǔǖǘǚǜ',
  w: 'ŵ',
  y: 'ýÿŷ',
  z: 'żžƶ',
  '|': '¦',
  '~': '\u02dc\u0303',
}

test('the page maps these characters and no others', () => {
  const signs = new Map(
    Object.entries(charactersBySign).flatMap(([sign, characters]) =>
      [...characters].map(each => [each, sign]),
    ),
  )
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    assert.equal(asciiOf(code), signs.get(character)?.charCodeAt(0), `U+${code.toString(16)} ${character}`)
  }
})
