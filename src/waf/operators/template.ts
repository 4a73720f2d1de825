/** Texts with macros: `%{TX.score}`, `%{MATCHED_VAR}`. Compiled once, expanded for each request. */

export interface Macro {
  /** Upper case: `TX`, `MATCHED_VAR`. */
  readonly collection: string
  /** Lower case, since macros are case-insensitive; undefined in `%{REMOTE_ADDR}`. */
  readonly key: string | undefined
}

/** Literal texts and macros in order; a text without macros is one literal (or nothing). */
export type Template = readonly (string | Macro)[]

/** A `%{` without a `}` and an empty `%{}` are literal text. `.` or `:` separates collection and key. */
export function parseTemplate(text: string): Template {
  const parts: (string | Macro)[] = []
  let from = 0
  for (let open = text.indexOf('%{'); open >= 0; open = text.indexOf('%{', open + 2)) {
    const close = text.indexOf('}', open)
    if (close < 0) break
    if (close === open + 2) continue
    if (open > from) parts.push(text.slice(from, open))
    parts.push(parseMacro(text.slice(open + 2, close)))
    from = close + 1
    open = close - 1
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** The text itself if it holds no macro, else undefined. */
export function literalOf(template: Template): string | undefined {
  if (template.length === 0) return ''
  const [first] = template
  return template.length === 1 && typeof first === 'string' ? first : undefined
}

export function macrosOf(template: Template): Macro[] {
  return template.filter(part => typeof part !== 'string')
}

/** The request that an operator or effect runs for. */
export interface MacroView {
  /** Text of one macro; '' if it is unset. */
  expand(macro: Macro): string
  /** Called when a limit (PCRE's, in ModSecurity) leaves open whether a value matches, or its captures. */
  limitReached(): void
}

export function expandTemplate(template: Template, view: MacroView): string {
  let text = ''
  for (let i = 0; i < template.length; i++) {
    const part = template[i]!
    text += typeof part === 'string' ? part : view.expand(part)
  }
  return text
}

function parseMacro(inner: string): Macro {
  const dot = inner.indexOf('.')
  const separator = dot >= 0 ? dot : inner.indexOf(':')
  if (separator < 0) return { collection: inner.toUpperCase(), key: undefined }
  return {
    collection: inner.slice(0, separator).toUpperCase(),
    key: inner.slice(separator + 1).toLowerCase(),
  }
}
