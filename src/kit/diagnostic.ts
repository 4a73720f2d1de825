/** A problem in a text that a person wrote (rules, expressions, filters, settings), with its position. */
export interface Diagnostic {
  /** Stable, machine-readable, lower case with dashes: `unknown-operator`. */
  readonly code: string
  /** One sentence, in the words of the field. */
  readonly message: string
  /** File, setting or field that contains the text. */
  readonly source: string
  /** From 1. */
  readonly line: number
  /** From 1, in bytes of the line. */
  readonly column: number
  /** Bytes; at least 1 when something can be underlined. */
  readonly length: number
  /** How to solve it, such as the nearest known name. */
  readonly hint?: string
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** `file:line:column: message (hint)`, the form that editors recognise. */
export function formatDiagnostic(d: Diagnostic): string {
  return `${d.source}:${d.line}:${d.column}: ${d.message}${d.hint === undefined ? '' : ` (${d.hint})`}`
}
