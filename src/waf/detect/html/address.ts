import { decodeReferences } from './references.ts'

/** What browsers drop or skip is dropped before looking, as far as this many bytes. */
const lookedBytesMax = 4096
const schemes = [
  'javascript:',
  'vbscript:',
  'livescript:',
  'jscript:',
  'mocha:',
  'view-source:',
  'feed:javascript:',
  'jar:',
]
/** Kinds of data that are shown or played and cannot run. */
const quietData = [
  'image/png',
  'image/jpeg',
  'image/jpg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'font/',
  'audio/',
  'video/',
  'application/font',
  'application/pdf',
  'text/plain',
  'text/css',
  'application/json',
]

/** Whether an address in an attribute runs script: a script scheme, or `data:` that may hold a document. */
export function isScriptAddress(raw: string): boolean {
  const address = compact(raw)
  if (schemes.some(scheme => address.startsWith(scheme))) return true
  return address.startsWith('data:') && !quietData.some(kind => address.startsWith(kind, 5))
}

/** Whether a whole value is a script address by itself, as it would land in a link: `javascript:alert(1)`. */
export function isBareScriptAddress(value: string): boolean {
  const address = compact(value)
  const scheme = ['javascript:', 'vbscript:'].find(name => address.startsWith(name))
  if (scheme === undefined) return false
  // "JavaScript: the good parts" has a blank there and no call behind it.
  const colon = value.indexOf(':')
  const next = value.charCodeAt(colon + 1)
  if (colon >= 0 && (next === 0x20 || Number.isNaN(next))) return false
  return ['(', '=', '`', '/*'].some(sign => address.includes(sign))
}

const styleMarks = [
  'expression(',
  'javascript:',
  'vbscript:',
  '-moz-binding',
  'behavior:',
  'behaviour:',
  '@import',
  'url(data:text/html',
  'url(data:image/svg',
]

/** Whether a style attribute loads or runs script. */
export function isScriptStyle(raw: string): boolean {
  const style = compact(raw)
  let plain = ''
  // Comments inside words hide them from us, not from old browsers.
  for (let at = 0; at < style.length; ) {
    const open = style.indexOf('/*', at)
    if (open < 0) {
      plain += style.slice(at)
      break
    }
    plain += style.slice(at, open)
    const close = style.indexOf('*/', open + 2)
    if (close < 0) break
    at = close + 2
  }
  plain = plain.replaceAll('\\', '').replaceAll('"', '').replaceAll("'", '')
  return styleMarks.some(mark => plain.includes(mark))
}

/** Lower case, character references decoded, without white space and control characters. */
export function compact(raw: string): string {
  const text = raw.includes('&') ? decodeReferences(raw) : raw
  let result = ''
  for (let at = 0; at < text.length && result.length < lookedBytesMax; at++) {
    if (text.charCodeAt(at) > 0x20) result += text.charAt(at)
  }
  return result.toLowerCase()
}
