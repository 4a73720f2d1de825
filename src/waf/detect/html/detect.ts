import { compact, isBareScriptAddress, isScriptAddress, isScriptStyle } from './address.ts'
import {
  isAddressAttribute,
  isEventHandler,
  isLoadingTag,
  isRunningAttribute,
  isRunningTag,
} from './names.ts'
import { type Context, tokenize, type Visitor } from './tokens.ts'

const quotes: readonly Context[] = ['"', "'", '`']

/**
 * HTML that runs script, wherever in a page the value may land: as text, or inside an attribute value without quotes
 * or with any of the three.
 * @param value byte string (latin-1, one code unit a byte). Linear in the value.
 */
export function detectXss(value: string): boolean {
  if (value.includes('<') && tokenize(value, 'data', judge)) return true
  if (value.includes(':') && isBareScriptAddress(value)) return true
  if (!value.includes('=') && !value.includes('>')) return false
  if (tokenize(value, 'unquoted', judge)) return true
  return quotes.some(quote => value.includes(quote) && tokenize(value, quote, judge))
}

const judge: Visitor = {
  tag: isRunningTag,

  attribute(tag, name, value) {
    if (value === null) return false
    if (tag !== null && isLoadingTag(tag)) return true
    if (isEventHandler(name)) return true
    // In a tag of the value's own an unknown handler is still a handler; outside, "one = 1" is arithmetic.
    if (tag !== null && name.startsWith('on') && name.length > 4 && isLetters(name)) return true
    if (isRunningAttribute(name)) return true
    if (name === 'style') return isScriptStyle(value)
    if (name === 'attributename') return namesScript(compact(value))
    if (name === 'xmlns' || name.startsWith('xmlns:')) return tag !== null && isPageNamespace(value)
    return isAddressAttribute(name) && isScriptAddress(value)
  },

  markup(text) {
    const lower = text.slice(0, 64).toLowerCase()
    if (lower.startsWith('!--')) return isRunningComment(text)
    if (lower.startsWith('?')) return lower.startsWith('?xml') || lower.startsWith('?import')
    return ['![cdata[', '![if', '![endif', '!doctype', '!entity', '!element', '!attlist'].some(mark =>
      lower.startsWith(mark),
    )
  },
}

/** Comments that some reader runs: Internet Explorer's conditions and its backquotes, a server's includes. */
function isRunningComment(text: string): boolean {
  const body = text.slice(3)
  if (body.startsWith('#')) return true
  const lower = body.trimStart().toLowerCase()
  return (
    lower.startsWith('`') || lower.startsWith('[if') || lower.includes('<![') || lower.includes('<!entity')
  )
}

/** `<animate attributeName=href …>` sets what it names. */
function namesScript(name: string): boolean {
  return name === 'href' || name === 'xlink:href' || name === 'style' || name.startsWith('on')
}

/** Any prefix becomes HTML or SVG by declaring their namespace, and `<x:a>` runs what `<a>` would. */
function isPageNamespace(value: string): boolean {
  const name = compact(value)
  return (
    name.includes('w3.org/1999/xhtml') || name.includes('w3.org/2000/svg') || name.includes('w3.org/1999/xsl')
  )
}

function isLetters(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < 0x61 || code > 0x7a) return false
  }
  return true
}
