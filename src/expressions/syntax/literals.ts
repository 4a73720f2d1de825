import { type Address, blockOf, parseAddress } from '../address.ts'
import { expressionLimits } from '../limits.ts'
import { isDigit, isHexDigit, isIdentifierByte, type Lexer } from './lexer.ts'

/** Both ends included. */
export interface IntRange {
  readonly first: bigint
  readonly last: bigint
}

/** Both ends included. */
export interface IpRange {
  readonly first: Address
  readonly last: Address
}

const lowestInt = -(2n ** 63n)
const highestInt = 2n ** 63n - 1n

/** A quoted, raw or byte string; the value is a byte string. */
export function readString(lexer: Lexer): string {
  failAtEnd(lexer)
  if (lexer.peek() === '"') return readQuoted(lexer)
  if (startsRaw(lexer)) return readRaw(lexer)
  return readByteString(lexer)
}

/** The forms of patterns: quoted (escapes resolved) or raw. */
export function readQuotedOrRaw(lexer: Lexer): string {
  failAtEnd(lexer)
  if (lexer.peek() === '"') return readQuoted(lexer)
  if (startsRaw(lexer)) return readRaw(lexer)
  return lexer.failRest('expected-quote', 'expected " or r')
}

export interface PatternText {
  readonly pattern: string
  /** Offset of the pattern's first byte in the expression. */
  readonly start: number
  /** Offset after the pattern. */
  readonly end: number
}

/**
 * The literal after `matches`. Raw text is taken as it is. In quotes only `\"` outside a class is unescaped, and a bare
 * quote inside a class does not end it.
 */
export function readPattern(lexer: Lexer): PatternText {
  failAtEnd(lexer)
  if (startsRaw(lexer)) {
    const pattern = readRaw(lexer)
    const end = lexer.bytes.lastIndexOf('"', lexer.at - 1)
    return { pattern, start: end - pattern.length, end }
  }
  if (!lexer.take('"')) lexer.failRest('expected-quote', 'expected " or r')
  return readQuotedPattern(lexer)
}

function readQuotedPattern(lexer: Lexer): PatternText {
  const start = lexer.at
  let pattern = ''
  let inClass = false
  for (;;) {
    if (lexer.atEnd)
      lexer.fail('unterminated-string', 'could not find an ending quote', { start, end: lexer.end })
    const byte = lexer.peek()
    lexer.at++
    if (byte === '"' && !inClass) return { pattern, start, end: lexer.at - 1 }
    if (byte === '\\' && !lexer.atEnd) {
      const escaped = lexer.peek()
      lexer.at++
      pattern += escaped === '"' && !inClass ? '"' : `\\${escaped}`
      continue
    }
    if (byte === '[') inClass = true
    else if (byte === ']') inClass = false
    pattern += byte
  }
}

export function startsRaw(lexer: Lexer): boolean {
  return lexer.peek() === 'r' && (lexer.peek(1) === '"' || lexer.peek(1) === '#')
}

/** `"…"` with the escapes `\"`, `\\`, `\xHH` and `\OOO`. */
export function readQuoted(lexer: Lexer): string {
  lexer.expect('"')
  const start = lexer.at
  let value = ''
  for (;;) {
    value += lexer.takeWhile(byte => byte !== '"' && byte !== '\\')
    if (lexer.take('"')) return value
    if (lexer.atEnd)
      lexer.fail('unterminated-string', 'could not find an ending quote', { start, end: lexer.end })
    lexer.at++
    value += readEscape(lexer)
  }
}

/** Reads the rest of an escape after the backslash. */
function readEscape(lexer: Lexer): string {
  const byte = lexer.peek()
  if (byte === '"' || byte === '\\') {
    lexer.at++
    return byte
  }
  if (byte === 'x') {
    lexer.at++
    return String.fromCharCode(readDigits(lexer, 2, 16))
  }
  if (byte >= '0' && byte <= '7') return String.fromCharCode(readDigits(lexer, 3, 8))
  const span = { start: lexer.at, end: Math.min(lexer.at + 1, lexer.end) }
  return lexer.fail('bad-escape', 'expected ", xHH or OOO after \\', span)
}

/** Exactly `count` digits of one byte. */
function readDigits(lexer: Lexer, count: number, radix: 8 | 16, hint?: string): number {
  const span = { start: lexer.at, end: lexer.at + count }
  const left = lexer.end - lexer.at
  if (left < count) lexer.failRest('too-short', `expected ${count} characters, but found ${left}`, hint)
  const digits = lexer.bytes.slice(span.start, span.end)
  if (!isNumeral(digits, radix)) lexer.fail('bad-digit', badDigit(radix), span)
  const value = Number.parseInt(digits, radix)
  if (value > 255) {
    lexer.fail('too-large', `number too large to fit in target type while parsing with radix ${radix}`, span)
  }
  lexer.at = span.end
  return value
}

/** `r"…"`, `r#"…"#` and so on: verbatim up to the first quote with as many hashes after it. */
function readRaw(lexer: Lexer): string {
  const opening = lexer.at
  lexer.expect('r')
  const hashes = lexer.takeWhile(byte => byte === '#')
  if (hashes.length > expressionLimits.rawStringHashesMax) {
    const message = `raw string has more than ${expressionLimits.rawStringHashesMax} hashes`
    lexer.fail('too-many-hashes', message, { start: opening, end: lexer.at })
  }
  lexer.expect('"')
  const start = lexer.at
  const close = lexer.bytes.indexOf(`"${hashes}`, start)
  if (close < 0 || close + hashes.length + 1 > lexer.end) {
    lexer.fail('unterminated-string', 'could not find an ending quote', { start, end: lexer.end })
  }
  lexer.at = close + hashes.length + 1
  return lexer.bytes.slice(start, close)
}

/** Two or more hex pairs joined by `:`, `-` or `.`. */
function readByteString(lexer: Lexer): string {
  const hint = 'text needs quotes'
  let value = String.fromCharCode(readDigits(lexer, 2, 16, hint))
  if (!isByteSeparator(lexer.peek())) {
    const end = Math.min(lexer.at + 1, lexer.end)
    lexer.fail('expected-separator', 'expected byte separator', { start: lexer.at, end }, hint)
  }
  while (isByteSeparator(lexer.peek())) {
    lexer.at++
    value += String.fromCharCode(readDigits(lexer, 2, 16))
  }
  return value
}

function isByteSeparator(byte: string): boolean {
  return byte === ':' || byte === '-' || byte === '.'
}

/** Decimal with an optional sign, `0x` hexadecimal, or octal with a leading zero; 64 bits, signed. */
export function readInteger(lexer: Lexer): bigint {
  failAtEnd(lexer)
  const start = lexer.at
  if (lexer.take('0x')) return readMagnitude(lexer, lexer.at, '', 16)
  const sign = lexer.take('-') ? '-' : ''
  return readMagnitude(lexer, start, sign, sign === '' && lexer.peek() === '0' ? 8 : 10)
}

function readMagnitude(lexer: Lexer, start: number, sign: '' | '-', radix: 8 | 10 | 16): bigint {
  const digits = lexer.takeWhile(isHexDigit)
  if (digits === '') lexer.failRest('expected-digit', 'expected digit')
  const span = { start, end: lexer.at }
  if (!isNumeral(digits, radix)) lexer.fail('bad-digit', badDigit(radix), span)
  const magnitude = BigInt(radix === 10 ? digits : (radix === 8 ? '0o' : '0x') + digits)
  const value = sign === '' ? magnitude : -magnitude
  if (value < lowestInt || value > highestInt) {
    const size = sign === '' ? 'large' : 'small'
    lexer.fail(
      'too-large',
      `number too ${size} to fit in target type while parsing with radix ${radix}`,
      span,
    )
  }
  return value
}

/** `5` or `1..5`. */
export function readIntRange(lexer: Lexer): IntRange {
  const start = lexer.at
  const first = readInteger(lexer)
  const last = lexer.take('..') ? readInteger(lexer) : first
  if (first > last) lexer.fail('bad-range', 'incompatible range bounds', { start, end: lexer.at })
  return { first, last }
}

/** `$name`, up to the first byte that cannot belong to a name. */
export function readListName(lexer: Lexer): string {
  lexer.expect('$')
  const start = lexer.at
  const name = lexer.takeWhile(isListNameByte)
  if (name === '' || name.startsWith('.') || name.endsWith('.')) {
    const shown = name + lexer.takeWhile(isIdentifierByte)
    lexer.fail('bad-list-name', `invalid list name "${shown}"`, { start, end: lexer.at })
  }
  if (isIdentifierByte(lexer.peek())) lexer.failRest('unexpected-input', 'unrecognised input')
  return name
}

function isListNameByte(byte: string): boolean {
  return byte === '.' || (isIdentifierByte(byte) && !(byte >= 'A' && byte <= 'Z'))
}

/** A single address. */
export function readIp(lexer: Lexer): Address {
  const { text, start } = readAddressText(lexer)
  return addressOf(lexer, text, start)
}

/** An address, `first..last` or CIDR. */
export function readIpRange(lexer: Lexer): IpRange {
  const { text, start } = readAddressText(lexer)
  const dots = text.indexOf('..')
  if (dots >= 0) return rangeOf(lexer, text.slice(0, dots), text.slice(dots + 2), start)
  if (text.includes('/')) return networkOf(lexer, text, start)
  const address = addressOf(lexer, text, start)
  return { first: address, last: address }
}

function readAddressText(lexer: Lexer): { text: string; start: number } {
  failAtEnd(lexer)
  const start = lexer.at
  const text = lexer.takeWhile(byte => isHexDigit(byte) || byte === ':' || byte === '.' || byte === '/')
  if (text === '') lexer.failRest('expected-address', 'expected IP address character')
  return { text, start }
}

function addressOf(lexer: Lexer, text: string, start: number): Address {
  const address = parseAddress(text)
  if (address !== undefined) return address
  const span = { start, end: start + text.length }
  return lexer.fail('bad-address', "couldn't parse address in network: invalid IP address syntax", span)
}

function rangeOf(lexer: Lexer, firstText: string, lastText: string, start: number): IpRange {
  const first = addressOf(lexer, firstText, start)
  const last = addressOf(lexer, lastText, start + firstText.length + 2)
  if (first.version !== last.version || first.bytes > last.bytes) {
    lexer.fail('bad-range', 'incompatible range bounds', { start, end: lexer.at })
  }
  return { first, last }
}

function networkOf(lexer: Lexer, text: string, start: number): IpRange {
  const span = { start, end: start + text.length }
  const slash = text.indexOf('/')
  const address = addressOf(lexer, text.slice(0, slash), start)
  const bits = text.slice(slash + 1)
  const most = address.version === 4 ? 32 : 128
  if (bits === '' || [...bits].some(byte => !isDigit(byte)) || Number(bits) > most) {
    lexer.fail('bad-network', badNetwork(bits, address.version), span)
  }
  const block = blockOf(address, Number(bits))
  if (block.first.bytes !== address.bytes) {
    lexer.fail('bad-network', 'host part of address was not zero', span)
  }
  return block
}

function badNetwork(prefix: string, version: 4 | 6): string {
  if (prefix === '' || [...prefix].some(byte => !isDigit(byte))) {
    return "couldn't parse length in network: invalid digit found in string"
  }
  const maximum = version === 4 ? 32 : 128
  return `invalid length for network: Network length ${prefix} is too long for Ipv${version} (maximum: ${maximum})`
}

function isNumeral(digits: string, radix: 8 | 10 | 16): boolean {
  for (const digit of digits) {
    const fits = radix === 16 ? isHexDigit(digit) : isDigit(digit) && Number(digit) < radix
    if (!fits) return false
  }
  return true
}

function badDigit(radix: number): string {
  return `invalid digit found in string while parsing with radix ${radix}`
}

function failAtEnd(lexer: Lexer): void {
  if (lexer.atEnd) lexer.failRest('unexpected-end', 'unrecognised input')
}
