import { isBareScriptAddress } from './address.ts'
import { type Context, HtmlReader } from './reader.ts'

const quotes: readonly Context[] = ['"', "'", '`']

/**
 * HTML that runs script, wherever in a page the value may land: as text, or inside an attribute value without quotes
 * or with any of the three.
 * @param value byte string (latin-1, one code unit a byte). Linear in the value.
 */
export function detectXss(value: string): boolean {
  const opens = value.includes('<')
  const assigns = value.includes('=')
  if (!opens && !assigns) return value.includes(':') && isBareScriptAddress(value)
  reader.begin(value)
  const found = inMarkup(value, opens, assigns)
  // No value outlives its request.
  reader.begin('')
  return found
}

const reader = new HtmlReader()

function inMarkup(value: string, opens: boolean, assigns: boolean): boolean {
  if (opens && reader.runsScript('data')) return true
  if (value.includes(':') && isBareScriptAddress(value)) return true
  // Inside the page's tag only attributes with values do something, behind it only tags.
  if (!assigns && !value.includes('>')) return false
  if (reader.runsScript('unquoted')) return true
  return quotes.some(quote => value.includes(quote) && reader.runsScript(quote))
}
