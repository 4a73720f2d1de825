/**
 * Code page 20127 (US-ASCII): the best-fit mapping of a server that narrows text to ASCII. Code points and ranges in
 * hex, by the ASCII character they become; full-width forms U+FF01–U+FF5E are computed.
 * @source Windows best-fit mapping of the page, as `SecUnicodeMapFile … 20127` uses it
 */
const bestFit: Readonly<Record<string, string>> = {
  ' ': 'a0 2000-2006',
  '!': 'a1',
  '"': '2ba 30e 201c-201e',
  $: 'a4',
  "'": '2b9 2bc 2c8 2018-2019 2032',
  ',': 'b8 201a',
  '-': 'ad 2010-2011 2013-2014',
  '.': 'b7 2022 2026',
  '1': 'b9',
  '2': 'b2',
  '3': 'b3',
  '<': 'ab 2039',
  '>': 'bb 203a',
  A: 'c0-c6 100 102 104 1cd 1de',
  C: 'a9 c7 106 108 10a 10c',
  D: 'd0 10e 110 189',
  E: 'c8-cb 112 114 116 118 11a',
  F: '191',
  G: '11c 11e 120 122 1e4 1e6',
  H: '124 126',
  I: 'cc-cf 128 12a 12c 12e 130 197 1cf',
  J: '134',
  K: '136 1e8',
  L: '139 13b 13d 141',
  N: 'd1 143 145 147',
  O: 'd2-d6 d8 14c 14e 150 152 19f-1a0 1d1 1ea 1ec',
  R: 'ae 154 156 158',
  S: '15a 15c 15e 160',
  T: '162 164 166 1ae 2122',
  U: 'd9-dc 168 16a 16c 16e 170 172 1af 1d3 1d5 1d7 1d9 1db',
  W: '174',
  Y: 'a5 dd 176 178',
  Z: '179 17b 17d',
  '^': '2c4 2c6 302',
  _: '2cd 331-332',
  '`': '2cb 300 2035',
  a: 'aa e0-e6 101 103 105 1ce 1df',
  b: '180',
  c: 'a2 e7 107 109 10b 10d',
  d: '10f 111',
  e: 'e8-eb 113 115 117 119 11b',
  f: '192',
  g: '11d 11f 121 123 1e5 1e7 261',
  h: '125 127',
  i: 'ec-ef 129 12b 12d 12f 131 1d0',
  j: '135 1f0',
  k: '137 1e9',
  l: '13a 13c 13e 142 19a',
  n: 'f1 144 146 148',
  o: 'ba f2-f6 f8 14d 14f 151 153 1a1 1d2 1eb 1ed',
  r: '155 157 159',
  s: '15b 15d 15f 161',
  t: '163 165 167 1ab',
  u: 'f9-fc 169 16b 16d 16f 171 173 1b0 1d4 1d6 1d8 1da 1dc',
  w: '175',
  y: 'fd ff 177',
  z: '17c 17e 1b6',
  '|': 'a6',
  '~': '2dc 303',
}

/** The ASCII code of a code point by the page's best fit, undefined if the page does not map it. */
export function asciiOf(codePoint: number): number | undefined {
  return asciiByCodePoint.get(codePoint)
}

const asciiByCodePoint: ReadonlyMap<number, number> = new Map(
  Object.entries(bestFit).flatMap(([ascii, ranges]) =>
    ranges.split(' ').flatMap(range => {
      const [first, last = first] = range.split('-').map(hex => Number.parseInt(hex, 16)) as [number, number?]
      return Array.from({ length: last - first + 1 }, (_, i) => [first + i, ascii.charCodeAt(0)] as const)
    }),
  ),
)
