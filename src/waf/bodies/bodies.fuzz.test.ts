import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wafLimits } from '../../kit/limits.ts'
import { parseCookies, parseJson, parseMultipart, parseUrlencoded, parseXml } from './index.ts'

let state = Number(process.env['SEED'] ?? Date.now() & 0x7fffffff)
console.log(`seed ${state}`)

function random(below: number): number {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return (state >> 8) % below
}

function soup(pieces: readonly string[], max: number): string {
  let text = ''
  for (let i = random(max); i > 0; i--)
    text += random(8) === 0 ? String.fromCharCode(random(256)) : pieces[random(pieces.length)]!
  return text
}

/** Bytes of everything that a parser gave. */
function check(texts: readonly string[], inputBytes: number, factor: number): void {
  let bytes = 0
  for (const text of texts) {
    bytes += text.length
    for (let i = 0; i < text.length; i++) assert.ok(text.charCodeAt(i) <= 0xff)
  }
  assert.ok(bytes <= inputBytes * factor, `${bytes} bytes from ${inputBytes}`)
}

const flat = (args: readonly { name: string; value: string }[]) =>
  args.flatMap(({ name, value }) => [name, value])

const JSON_PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"a"',
  ':',
  ',',
  '1',
  '-0.5e3',
  'true',
  'null',
  '"',
  '\\u00e9',
  '\\ud83d',
  '\\',
  ' ',
  '"k":',
  '{"a":',
]
const XML_PIECES = [
  '<a>',
  '</a>',
  '<b x="1">',
  '</b>',
  '<',
  '>',
  '/',
  '"',
  '&lt;',
  '&#x41;',
  '&e;',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?p',
  '?>',
  '<!DOCTYPE a [',
  ']>',
  't',
  ' ',
  "'",
  '\0',
]
const MULTIPART_PIECES = [
  '--B\r\n',
  '--B',
  '--B--',
  '\r\n',
  '\n',
  '\r\n\r\n',
  'Content-Disposition: form-data; name="a"',
  '; filename="f"',
  ' ',
  ':',
  '"',
  "'",
  '\\',
  '--',
  'text',
  '\0',
]
const TYPE_PIECES = ['multipart/form-data', ';', ' boundary', '=', 'B', '"', ' ', 'charset=utf-8']
const PAIR_PIECES = ['a', '=', '&', ';', '%41', '%', '+', ' ', '"']

test('no input makes a parser throw or give more than it got', () => {
  for (let round = 0; round < 4000; round++) {
    const complete = random(2) === 0
    const json = soup(JSON_PIECES, 40)
    // Names repeat for each value: at most the whole document each time.
    check(flat(parseJson(json, { complete }).args), json.length, json.length * 3)
    const xml = parseXml(soup(XML_PIECES, 40), { complete })
    check([xml.text, ...xml.attributes], 2000, 1)
    const body = soup(MULTIPART_PIECES, 40)
    const type = random(4) === 0 ? soup(TYPE_PIECES, 10) : 'multipart/form-data; boundary=B'
    const multipart = parseMultipart(body, type, { complete })
    check(flat(multipart.args), body.length, 4)
    for (const { size } of multipart.files) assert.ok(size >= 0 && size <= body.length)
    const text = soup(PAIR_PIECES, 40)
    check(flat(parseUrlencoded(text).args), text.length, 1)
    check(flat(parseCookies(text)), text.length, 1)
  }
})

test('large hostile bodies stay within the limits', () => {
  const size = 300_000
  const bodies = [
    '[',
    '{"a":',
    '"\\u0041',
    '[1,',
    '<a>',
    '<a x="',
    '&',
    '<',
    '&#x41;',
    '--B\r\n',
    '\n--',
    'a: b\r\n ',
    '&a=',
    '%',
    ';',
    ' ',
  ]
  for (const piece of bodies) {
    const body = piece.repeat(Math.ceil(size / piece.length))
    assert.ok(parseJson(body).args.length <= wafLimits.argumentsMax)
    assert.ok(parseJson(`"${body}"`).args.length <= 1)
    assert.ok(parseXml(body).attributes.length <= wafLimits.xmlAttributesMax)
    assert.ok(parseXml(`<a>${body}</a>`).text.length <= body.length)
    assert.ok(
      parseMultipart(body, 'multipart/form-data; boundary=B').args.length <= wafLimits.multipartFieldsMax,
    )
    assert.ok(
      parseMultipart(`--B\r\n${body}`, 'multipart/form-data; boundary=B').args.length <=
        wafLimits.multipartFieldsMax,
    )
    assert.ok(parseUrlencoded(body).args.length <= wafLimits.argumentsMax + 1)
    assert.ok(parseCookies(body).length <= wafLimits.cookiesMax + 1)
  }
})
