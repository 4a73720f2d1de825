import type { Diagnostic } from '../kit/diagnostic.ts'
import { seclangLimits } from '../kit/limits.ts'
import type { Span } from './ast.ts'

/** Collects what is wrong with all sources of a load, up to the limit. */
export class Report {
  readonly diagnostics: Diagnostic[] = []

  /** Nothing more is kept; reading on is of no use. */
  get full(): boolean {
    return this.diagnostics.length >= seclangLimits.diagnosticsMax
  }

  add(code: string, span: Span, message: string, hint?: string): void {
    if (this.full) return
    this.diagnostics.push({ code, message, ...span, ...(hint === undefined ? {} : { hint }) })
  }
}
