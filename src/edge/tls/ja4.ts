import { hash } from 'node:crypto'
import { type ClientHello, extension } from './client-hello.ts'

/**
 * The JA4 fingerprint of a TLS client over TCP: 36 characters.
 * @source FoxIO, JA4 technical details
 */
export function ja4(hello: ClientHello): string {
  const ciphers = hello.ciphers.filter(isNotGrease).map(hex4)
  const extensions = hello.extensions.filter(isNotGrease)
  const hashed = extensions
    .filter(type => type !== extension.serverName && type !== extension.alpn)
    .map(hex4)
    .sort()
    .join(',')
  const signatures = hello.signatureAlgorithms.filter(isNotGrease).map(hex4).join(',')
  const head = [
    't',
    versionName(hello.versions),
    hello.extensions.includes(extension.serverName) ? 'd' : 'i',
    twoDigits(ciphers.length),
    twoDigits(extensions.length),
    protocolName(hello.protocols[0]),
  ].join('')
  const cipherHash = ciphers.length === 0 ? noHash : short(ciphers.sort().join(','))
  const extensionHash =
    extensions.length === 0 ? noHash : short(signatures === '' ? hashed : `${hashed}_${signatures}`)
  return `${head}_${cipherHash}_${extensionHash}`
}

const noHash = '000000000000'

/** RFC 8701: 0x0a0a, 0x1a1a … 0xfafa are reserved and mean nothing. */
function isNotGrease(value: number): boolean {
  return (value & 0x0f0f) !== 0x0a0a || value >> 8 !== (value & 0xff)
}

function versionName(versions: readonly number[]): string {
  const newest = Math.max(0, ...versions.filter(isNotGrease))
  return ({ 772: '13', 771: '12', 770: '11', 769: '10', 768: 's3' } as Record<number, string>)[newest] ?? '00'
}

/** The first and the last character of the first protocol; hexadecimal digits when these are not alphanumeric. */
function protocolName(protocol: string | undefined): string {
  if (protocol === undefined || protocol === '') return '00'
  const ends = protocol[0]! + protocol.at(-1)!
  if (/^[0-9A-Za-z]{2}$/.test(ends)) return ends
  const digits = Buffer.from(protocol, 'latin1').toString('hex')
  return digits[0]! + digits.at(-1)!
}

function twoDigits(count: number): string {
  return String(Math.min(count, 99)).padStart(2, '0')
}

function hex4(value: number): string {
  return value.toString(16).padStart(4, '0')
}

function short(text: string): string {
  return hash('sha256', text).slice(0, 12)
}
