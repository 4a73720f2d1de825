import { referenceAt } from './references.ts'

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

/** First letters of schemes that matter, and what may hide one. */
const addressStarts = new Set(Array.from('jvlmfdJVLMFD&', sign => sign.charCodeAt(0)))
/** Bytes that tell a scheme with its kind of data. */
const schemeBytesMax = 40

/** Whether an address in an attribute, from `start` to `end`, runs script: a script scheme, or `data:` that may hold a document. */
export function isScriptAddress(value: string, start: number, end: number): boolean {
  let first = start
  while (first < end && value.charCodeAt(first) <= 0x20) first++
  if (first === end || !addressStarts.has(value.charCodeAt(first))) return false
  const address = compact(value.slice(first, end), schemeBytesMax)
  if (schemes.some(scheme => address.startsWith(scheme))) return true
  return address.startsWith('data:') && !quietData.some(kind => address.startsWith(kind, 5))
}

const bareStarts = new Set(Array.from('jvJV&', sign => sign.charCodeAt(0)))

/** Whether a whole value is a script address by itself, as it would land in a link: `javascript:alert(1)`. */
export function isBareScriptAddress(value: string): boolean {
  let first = 0
  while (first < value.length && value.charCodeAt(first) <= 0x20) first++
  if (!bareStarts.has(value.charCodeAt(first))) return false
  const address = compact(value, lookedBytesMax)
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
  if (!mayBeScriptStyle(raw)) return false
  const style = compact(raw, lookedBytesMax)
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

/** Each mark needs a parenthesis, an at sign, or a letter that most styles have no use for; references may hide them. */
function mayBeScriptStyle(raw: string): boolean {
  for (let at = 0; at < raw.length; at++) if (styleBytes[raw.charCodeAt(at)] === 1) return true
  return false
}

const styleBytes = new Uint8Array(256)
for (const sign of '(@&vVzZ') styleBytes[sign.charCodeAt(0)] = 1

/** `<animate attributeName=href …>` sets what it names. */
export function namesScript(raw: string): boolean {
  const name = compact(raw, schemeBytesMax)
  return name === 'href' || name === 'xlink:href' || name === 'style' || name.startsWith('on')
}

/** Any prefix becomes HTML or SVG by declaring their namespace, and `<x:a>` runs what `<a>` would. */
export function namesPageNamespace(raw: string): boolean {
  const name = compact(raw, lookedBytesMax)
  return (
    name.includes('w3.org/1999/xhtml') || name.includes('w3.org/2000/svg') || name.includes('w3.org/1999/xsl')
  )
}

/** Lower case, character references decoded, without white space and control characters; the first `max` characters. */
function compact(raw: string, max: number): string {
  let length = 0
  for (let at = 0; at < raw.length && length < max; at++) {
    let code = raw.charCodeAt(at)
    if (code === 0x26) {
      const reference = referenceAt(raw, at)
      if (reference !== null) {
        code = reference.code
        at = reference.end - 1
      }
    }
    if (code > 0x20) characters[length++] = code
  }
  return String.fromCharCode.apply(null, characters.slice(0, length)).toLowerCase()
}

const characters: number[] = Array.from({ length: lookedBytesMax }, () => 0)
