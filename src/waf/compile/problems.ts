import type { Diagnostic } from '../../kit/diagnostic.ts'
import type { Span } from '../../seclang/ast.ts'

/** Collects the diagnostics of one `compile`. */
export class Problems {
  readonly diagnostics: Diagnostic[] = []

  add(code: string, span: Span, message: string, hint?: string): void {
    const { source, line, column, length } = span
    this.diagnostics.push({
      code,
      message,
      source,
      line,
      column,
      length,
      ...(hint === undefined ? {} : { hint }),
    })
  }
}
