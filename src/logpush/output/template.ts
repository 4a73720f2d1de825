/** Literal text and fields, alternating. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly name: string }

export type TemplateOutcome =
  | { readonly ok: true; readonly pieces: readonly TemplatePiece[] }
  | { readonly ok: false; readonly message: string }

/**
 * Reads a `record_template`: `{{ .Field }}`, `{{ "text" }}` or with backquotes, `{{/* comment *\/}}`, and text around
 * them. One pass.
 * @source Cloudflare, "Log output options": the part of Go's text/template that record templates have
 */
export function parseTemplate(template: string): TemplateOutcome {
  const pieces: TemplatePiece[] = []
  let at = 0
  for (;;) {
    const open = template.indexOf('{{', at)
    addText(pieces, template.slice(at, open === -1 ? undefined : open))
    if (open === -1) return { ok: true, pieces }
    const token = readToken(template, open + 2)
    if (!token.ok) return refusedAt(token.at, token.message)
    const close = afterBlanks(template, token.end)
    if (!template.startsWith('}}', close))
      return refusedAt(close, close >= template.length ? 'a "{{" that is not closed' : expectedClose)
    if (token.piece?.kind === 'text') addText(pieces, token.piece.text)
    else if (token.piece !== undefined) pieces.push(token.piece)
    at = close + 2
  }
}

const expectedClose = 'expected "}}": a token is one field, one text or one comment'

type Token =
  | { readonly ok: true; readonly piece: TemplatePiece | undefined; readonly end: number }
  | { readonly ok: false; readonly at: number; readonly message: string }

function readToken(template: string, start: number): Token {
  const at = afterBlanks(template, start)
  if (template.startsWith('/*', at)) return readComment(template, at)
  switch (template[at]) {
    case '.':
      return readField(template, at)
    case '"':
      return readQuoted(template, at)
    case '`':
      return readRaw(template, at)
    case '-':
      return { ok: false, at, message: 'trimming blanks with "{{-" is not available' }
    case undefined:
      return { ok: false, at, message: 'a "{{" that is not closed' }
    default:
      return {
        ok: false,
        at,
        message: 'expected .Field, a text in quotes or a comment: functions and conditions are not available',
      }
  }
}

function readComment(template: string, at: number): Token {
  const end = template.indexOf('*/', at + 2)
  return end === -1
    ? { ok: false, at, message: 'a comment that is not closed' }
    : { ok: true, piece: undefined, end: end + 2 }
}

const fieldName = /[A-Za-z_][A-Za-z0-9_]*/y

function readField(template: string, at: number): Token {
  fieldName.lastIndex = at + 1
  const match = fieldName.exec(template)
  if (match === null) return { ok: false, at: at + 1, message: 'expected the name of a field after the dot' }
  return { ok: true, piece: { kind: 'field', name: match[0] }, end: fieldName.lastIndex }
}

function readRaw(template: string, at: number): Token {
  const end = template.indexOf('`', at + 1)
  if (end === -1) return { ok: false, at, message: 'a text without its closing backquote' }
  return { ok: true, piece: { kind: 'text', text: template.slice(at + 1, end) }, end: end + 1 }
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

function readQuoted(template: string, start: number): Token {
  let text = ''
  let at = start + 1
  while (at < template.length) {
    const character = template[at]!
    if (character === '"') return { ok: true, piece: { kind: 'text', text }, end: at + 1 }
    if (character === '\n') break
    if (character !== '\\') {
      text += character
      at++
      continue
    }
    const escaped = readEscape(template, at)
    if (escaped === undefined) return { ok: false, at, message: 'an escape that is not known' }
    text += escaped.text
    at = escaped.end
  }
  return { ok: false, at: start, message: 'a text without its closing quote' }
}

const numericEscape = /u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}/y

function readEscape(template: string, at: number): { text: string; end: number } | undefined {
  const simple = simpleEscapes.get(template[at + 1] ?? '')
  if (simple !== undefined) return { text: simple, end: at + 2 }
  numericEscape.lastIndex = at + 1
  const match = numericEscape.exec(template)
  if (match === null) return undefined
  const point = Number.parseInt(match[0].slice(1), 16)
  // Unpaired surrogates and numbers beyond the last character are refused.
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined
  return { text: String.fromCodePoint(point), end: numericEscape.lastIndex }
}

function afterBlanks(template: string, start: number): number {
  let at = start
  while (at < template.length && ' \t\r\n'.includes(template[at]!)) at++
  return at
}

function addText(pieces: TemplatePiece[], text: string): void {
  if (text === '') return
  const last = pieces.at(-1)
  if (last?.kind === 'text') pieces[pieces.length - 1] = { kind: 'text', text: last.text + text }
  else pieces.push({ kind: 'text', text })
}

function refusedAt(at: number, message: string): TemplateOutcome {
  return { ok: false, message: `${message}, at character ${at + 1}` }
}
