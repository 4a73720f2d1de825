import { referenceAt } from './references.ts'

/** Browsers drop or skip some bytes of an address. They are removed before the check, in this many bytes of it. */
const lookedBytes = 4096
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
/** Media types of `data:` addresses that are shown or played and cannot run. */
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

/** First letters of relevant schemes, and bytes that may hide one. */
const addressStarts = new Set(Array.from('jvlmfdJVLMFD&', sign => sign.charCodeAt(0)))
/** Enough bytes to recognize a scheme and its media type. */
const schemeBytes = 40

/**
 * Whether an address in an attribute, from `start` to `end`, runs script: a script scheme, or `data:` that may hold a
 * document.
 */
export function isScriptAddress(value: string, start: number, end: number): boolean {
  let first = start
  while (first < end && value.charCodeAt(first) <= 0x20) first++
  if (first === end || !addressStarts.has(value.charCodeAt(first))) return false
  const address = compact(value.slice(first, end), schemeBytes)
  if (schemes.some(scheme => address.startsWith(scheme)) || isMangledScheme(address)) return true
  // Ordinary addresses do not write letters as character references.
  if (value.charCodeAt(first) === 0x26 && address.startsWith('java')) return true
  return address.startsWith('data:') && !quietData.some(kind => address.startsWith(kind, 5))
}

/**
 * A script scheme that a filter, a page or an old browser may make whole: `javaascript:`, `javas'cript:`, `javascript#`.
 * Paths that begin with the words are none: `javascript/a.js`, `java-course.html`.
 */
function isMangledScheme(address: string): boolean {
  if (!address.startsWith('java') && !address.startsWith('vbs')) return false
  let end = 0
  while (end < address.length && !':#?/'.includes(address.charAt(end))) end++
  const sign = address.charAt(end)
  if (sign === ':') return true
  const scheme = address.slice(0, end)
  return sign === '#' && scheme.endsWith('script')
}

const bareStarts = new Set(Array.from('jvJV&', sign => sign.charCodeAt(0)))

/** Whether a whole value is a script address by itself, as it would land in a link: `javascript:alert(1)`. */
export function isBareScriptAddress(value: string): boolean {
  let first = 0
  while (first < value.length && value.charCodeAt(first) <= 0x20) first++
  if (!bareStarts.has(value.charCodeAt(first))) return false
  const address = compact(value, lookedBytes)
  const scheme = ['javascript:', 'vbscript:'].find(name => address.startsWith(name))
  if (scheme === undefined) return false
  // In "JavaScript: the good parts", a blank follows and no call does.
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
  const style = compact(raw, lookedBytes)
  let plain = ''
  // Comments inside words hide them from this check, not from old browsers.
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

/** Each mark needs a parenthesis, an at sign, or a letter that is rare in styles. References may hide them. */
function mayBeScriptStyle(raw: string): boolean {
  for (let at = 0; at < raw.length; at++) if (styleBytes[raw.charCodeAt(at)] === 1) return true
  return false
}

const styleBytes = new Uint8Array(256)
for (const sign of '(@&vVzZ') styleBytes[sign.charCodeAt(0)] = 1

/** `<animate attributeName=href …>` sets the attribute that it names. */
export function namesScript(raw: string): boolean {
  const name = compact(raw, schemeBytes)
  return name === 'href' || name === 'xlink:href' || name === 'style' || name.startsWith('on')
}

/** Lower case, character references decoded, without white space and control characters; at most `max` characters. */
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

const characters: number[] = Array.from({ length: lookedBytes }, () => 0)
