import { standsAt } from '../word-table.ts'

const declarations = ['![cdata[', '![if', '![endif', '!doctype', '!entity', '!element', '!attlist']
const instructions = ['?xml', '?import']

/** Whether some reader runs the markup between `<` and `>`: `!…` or `?…` from `start` to `end`. */
export function isRunningMarkup(value: string, start: number, end: number): boolean {
  if (value.charCodeAt(start) === 0x3f) return instructions.some(mark => standsIn(value, start, end, mark))
  if (standsIn(value, start, end, '!--')) return isRunningComment(value, start + 3, end)
  return declarations.some(mark => standsIn(value, start, end, mark))
}

/** Comments that some reader runs: Internet Explorer's conditional comments and backquotes, a server's includes. */
function isRunningComment(value: string, start: number, end: number): boolean {
  if (standsIn(value, start, end, '#')) return true
  let text = start
  while (text < end && isBlank(value.charCodeAt(text))) text++
  if (standsIn(value, text, end, '`') || standsIn(value, text, end, '[if')) return true
  for (let less = value.indexOf('<', text); less >= 0 && less < end; less = value.indexOf('<', less + 1)) {
    if (standsIn(value, less, end, '<![') || standsIn(value, less, end, '<!entity')) return true
  }
  return false
}

function standsIn(value: string, start: number, end: number, text: string): boolean {
  return start + text.length <= end && standsAt(value, start, text)
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0
}
