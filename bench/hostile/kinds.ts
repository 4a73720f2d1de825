import type { Random } from '../support/random.ts'
import type { SampleRequest } from '../support/sample-request.ts'
import { attacks } from './attacks.ts'
import {
  bodyBytes,
  form,
  formEncode,
  formValue,
  getTarget,
  getWith,
  getWithOwn,
  headerBytes,
  json,
  jsonEncode,
  jsonValue,
  multipart,
  multipartValue,
  text,
  xml,
} from './carriers.ts'

/** A kind of hostile request. Each request is new, and reproducible. */
export interface Kind {
  readonly name: string
  readonly make: (random: Random) => SampleRequest
}

/** Values of one body that the engine reads before it refuses the rest. */
const valuesMax = 1000

const plain: readonly Kind[] = [
  { name: '32,000 arguments a=1', make: () => form('a=1&'.repeat(32_000)) },
  { name: '32,000 arguments, each another', make: r => form(filled(i => `${r.token(1)}${i % 10}=&`)) },
  {
    name: '1,000 arguments, attacks',
    make: r => form(list(valuesMax, () => `${r.word()}=${formPiece(r)}`, '&')),
  },
  { name: '1,000 argument names, attacks', make: r => form(list(valuesMax, () => `${formPiece(r)}=1`, '&')) },
  {
    name: '6,000 short attacks',
    make: r => form(list(6000, () => `a=${formEncode(attack(r).slice(0, 18))}`, '&')),
  },
  { name: 'form, one name without a value', make: () => form('a'.repeat(bodyBytes)) },
  { name: 'JSON [[[[…', make: () => json('['.repeat(bodyBytes)) },
  { name: 'JSON, 500 deep, again and again', make: r => json(`[${deepJson(r)}]`) },
  { name: 'JSON, a long path to 14,000 values', make: r => json(longPath(r, 14_000)) },
  { name: 'JSON, a long path to 1,000 values', make: r => json(longPath(r, valuesMax)) },
  {
    name: 'JSON, 5,000 short attacks',
    make: r => json(`[${list(5000, () => `"${jsonEncode(attack(r).slice(0, 20))}"`, ',')}]`),
  },
  {
    name: 'JSON, 1,000 attacks',
    make: r => json(`[${list(valuesMax, () => `"${jsonEncode(attackOf(r, 118))}"`, ',')}]`),
  },
  {
    name: 'JSON, 1,000 names, attacks',
    make: r => json(`{${list(valuesMax, () => `"${jsonEncode(attackOf(r, 110))}":1`, ',')}}`),
  },
  { name: 'multipart, 1,000 parts', make: r => multipart(Array.from({ length: valuesMax }, () => field(r))) },
  { name: 'multipart, 100 files', make: r => multipart(Array.from({ length: 100 }, () => file(r))) },
  {
    name: 'multipart, long part headers',
    make: r => multipart(Array.from({ length: 40 }, () => longPart(r))),
  },
  {
    name: 'XML, many elements',
    make: r => xml(`<a>${filled(() => `<b>${xmlText(attack(r))}</b>`, bodyBytes - 400)}</a>`),
  },
  {
    name: 'XML, many attributes',
    make: r => xml(`<a>${filled(() => `<b c="${xmlText(attack(r))}"/>`, bodyBytes - 400)}</a>`),
  },
  { name: 'XML, deep', make: () => xml('<a>'.repeat(bodyBytes / 3)) },
  { name: 'header of 60 KB, random', make: r => getWithOwn('X-Long', printable(r)) },
  { name: 'header of 60 KB, attacks', make: r => getWithOwn('X-Long', allAttacks(r)) },
  { name: 'User-Agent of 60 KB, attacks', make: r => getWithOwn('User-Agent', allAttacks(r)) },
  { name: 'Referer of 60 KB, attacks', make: r => getWithOwn('Referer', allAttacks(r)) },
  {
    name: '200 headers, attacks',
    make: r => getWith(Array.from({ length: 190 }, (_, i) => [`X-H${i}`, attackOf(r, 290)])),
  },
  {
    name: '1,000 cookies, attacks',
    make: r =>
      getWithOwn(
        'Cookie',
        list(1000, i => `c${i}=${attackOf(r, 50).replaceAll(';', ',')}`, '; '),
      ),
  },
  {
    name: 'one cookie of 60 KB, attacks',
    make: r => getWithOwn('Cookie', `c=${allAttacks(r).replaceAll(';', ',')}`),
  },
  { name: 'path of 60 KB, ../', make: () => getTarget(`/${'../a/./'.repeat(headerBytes / 7)}`) },
  {
    name: 'query of 60 KB, attacks',
    make: r => getTarget(`/?${list(500, () => `${r.word()}=${formPiece(r)}`, '&')}`),
  },
]

/** Texts of 1 MiB that are sent as one value, in each of the carriers. */
export const texts: readonly (readonly [
  name: string,
  make: (random: Random) => string,
  by: readonly Carrier[],
])[] = [
  [
    'random bytes',
    r => filled(() => String.fromCharCode(r.number(256))),
    ['form', 'json', 'text', 'multipart'],
  ],
  ['random printable', printable, ['form', 'json', 'text']],
  ['all attacks', allAttacks, ['form', 'json', 'text', 'multipart']],
  ['%-escapes', r => filled(() => percentEscape(r)), ['raw form', 'json', 'text']],
  ['&#', r => filled(() => entity(r)), ['form', 'json']],
  ['backslashes', r => filled(() => backslashEscape(r)), ['form', 'multipart']],
  ['\\ only', () => '\\'.repeat(bodyBytes), ['form']],
  ['quotes', r => filled(() => `'"\``[r.number(3)]!), ['form']],
  ["' only", () => "'".repeat(bodyBytes), ['form']],
  ['(', () => '('.repeat(bodyBytes), ['form', 'json']],
  ['/*', () => '/*'.repeat(bodyBytes / 2), ['form']],
  ['<', () => '<'.repeat(bodyBytes), ['form']],
  ['spaces', () => ' '.repeat(bodyBytes), ['form', 'json']],
  ['line ends', () => '\r\n'.repeat(bodyBytes / 2), ['multipart']],
  ['NULs', () => '\0'.repeat(bodyBytes), ['form', 'multipart', 'text']],
  ['a letter', () => 'a'.repeat(bodyBytes), ['form', 'json']],
  ['base64', r => r.token(bodyBytes), ['form']],
]

type Carrier = 'form' | 'raw form' | 'json' | 'text' | 'multipart'

const carriers: Readonly<Record<Carrier, (value: string) => SampleRequest>> = {
  form: formValue,
  'raw form': value => form(`text=${value}`),
  json: jsonValue,
  text,
  multipart: multipartValue,
}

export const kinds: readonly Kind[] = [
  ...texts.flatMap(([name, make, by]) =>
    by.map(carrier => ({
      name: `${name}, one ${carrier} value`,
      make: (r: Random) => carriers[carrier](make(r)),
    })),
  ),
  ...plain,
]

/** Pieces until a body is full, or nearly so. */
function filled(piece: (index: number) => string, bytes = bodyBytes): string {
  const pieces: string[] = []
  for (let length = 0, i = 0; length < bytes; i++) {
    const next = piece(i)
    pieces.push(next)
    length += next.length
  }
  return pieces.join('')
}

function list(count: number, piece: (index: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, i) => piece(i)).join(separator)
}

function attack(random: Random): string {
  return attacks[random.number(attacks.length)]!
}

/** Attacks one after another, up to a length. */
function attackOf(random: Random, length: number): string {
  let value = attack(random)
  while (value.length < length) value += ` ${attack(random)}`
  return value.slice(0, length)
}

/** Encoded, about 120 bytes. */
function formPiece(random: Random): string {
  return formEncode(attackOf(random, 112))
}

function allAttacks(random: Random): string {
  return filled(() => `${attack(random)} `)
}

function printable(random: Random): string {
  return filled(() => String.fromCharCode(0x20 + random.number(95)))
}

function percentEscape(random: Random): string {
  const hex = random.hex(2)
  return [`%${hex}`, `%25${hex}`, `%u00${hex}`, '%', `%%${hex}`][random.number(5)]!
}

function entity(random: Random): string {
  const code = 32 + random.number(96)
  return ['&#', `&#${code};`, `&#x${code.toString(16)};`, '&lt;', `&#0${code}`][random.number(5)]!
}

function backslashEscape(random: Random): string {
  const hex = random.hex(2)
  return ['\\', `\\x${hex}`, `\\u00${hex}`, `\\${random.number(8)}${random.number(8)}`, "\\'"][
    random.number(5)
  ]!
}

function deepJson(random: Random): string {
  const depth = 500
  const value = () => `${'{"a":'.repeat(depth)}"${jsonEncode(attack(random))}"${'}'.repeat(depth)}`
  return list(40, value, ',')
}

function longPath(random: Random, values: number): string {
  return `{"${random.token(8000)}":[${list(values, () => `"${random.word()}"`, ',')}]}`
}

function field(random: Random): { head: string; value: string } {
  const head = `Content-Disposition: form-data; name="${random.word()}${random.number(1000)}"`
  return { head, value: attackOf(random, 55) }
}

function file(random: Random): { head: string; value: string } {
  const name = attackOf(random, 1200).replace(/['";=\\\r\n]/g, '')
  return { head: `Content-Disposition: form-data; name="f"; filename="${name}"`, value: 'x' }
}

function longPart(random: Random): { head: string; value: string } {
  const lines = Array.from(
    { length: 20 },
    (_, i) => `X-${i}: ${attackOf(random, 140).replace(/[\r\n]/g, ' ')}`,
  )
  return { head: ['Content-Disposition: form-data; name="a"', ...lines].join('\r\n'), value: 'x' }
}

export function xmlText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
