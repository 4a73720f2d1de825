import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { wafLimits } from '../limits.ts'
import { random, randomParts, readParts } from '../testing/body-parts.ts'
import {
  type BodyReader,
  jsonReader,
  multipartReader,
  parseCookies,
  parseUrlencoded,
  urlencodedReader,
  xmlReader,
} from './index.ts'

function soup(pieces: readonly string[], max: number): string {
  let text = ''
  for (let i = random(max); i > 0; i--)
    text += random(8) === 0 ? String.fromCharCode(random(256)) : pieces[random(pieces.length)]!
  return text
}

/** Bytes of everything that a parser returned. */
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

const TYPE = 'multipart/form-data; boundary=B'

/** The result for the body in one part, after a check that other parts give the same. */
function read<Result>(make: () => BodyReader<Result>, body: string, complete: boolean): Result {
  const whole = readParts(make(), [body], complete)
  const parts = randomParts(body)
  assert.deepEqual(readParts(make(), parts, complete), whole, JSON.stringify({ parts, complete }))
  return whole
}

test('no input makes a reader throw or return more than its input, in any parts', () => {
  for (let round = 0; round < shareOf(20_000); round++) {
    const complete = random(2) === 0
    const json = soup(JSON_PIECES, 40)
    // Names repeat for each value: at most the whole document each time.
    check(flat(read(jsonReader, json, complete).args), json.length, json.length * 3)
    const xml = read(xmlReader, soup(XML_PIECES, 40), complete)
    check([xml.text, ...xml.attributes], 2000, 1)
    const body = soup(MULTIPART_PIECES, 40)
    const type = random(4) === 0 ? soup(TYPE_PIECES, 10) : TYPE
    const multipart = read(() => multipartReader(type), body, complete)
    check(flat(multipart.args), body.length, 4)
    for (const { size } of multipart.files) assert.ok(size >= 0 && size <= body.length)
    const text = soup(PAIR_PIECES, 40)
    check(flat(read(urlencodedReader, text, complete).args), text.length, 1)
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
    '[],',
    '<a>',
    '<a x="',
    '<b/>',
    '&',
    '<',
    '>',
    ']',
    '&#x41;',
    '--B\r\n',
    '\n--',
    'a: b\r\n ',
    '&a=',
    '%',
    ';',
    ' ',
    '1',
    'x',
  ]
  for (const piece of bodies) {
    const body = piece.repeat(Math.ceil(size / piece.length))
    const json = (text: string) => read(jsonReader, text, true).args.length
    assert.ok(json(body) <= wafLimits.argumentsMax)
    assert.ok(json(`[${body}`) <= wafLimits.argumentsMax)
    assert.ok(json(`"${body}"`) <= 1)
    for (const opening of ['', '<a>', '<a ', '<!DOCTYPE a [', '<a><!--', '<a><![CDATA[']) {
      const xml = read(xmlReader, opening + body, true)
      assert.ok(xml.attributes.length <= wafLimits.xmlAttributesMax)
      assert.ok(xml.text.length <= body.length)
    }
    for (const opening of ['', '--B\r\n', '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n']) {
      const { args } = read(() => multipartReader(TYPE), opening + body, true)
      assert.ok(args.length <= wafLimits.multipartFieldsMax)
    }
    assert.ok(read(urlencodedReader, body, true).args.length <= wafLimits.argumentsMax + 1)
    assert.ok(parseCookies(body).length <= wafLimits.cookiesMax + 1)
  }
})
