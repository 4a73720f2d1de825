import type { Diagnostic } from '../kit/diagnostic.ts'
import type { Span } from './ast.ts'
import { seclangLimits } from './limits.ts'

/** Collects the diagnostics of all sources of a load, up to the limit. */
export class Report {
  readonly diagnostics: Diagnostic[] = []

  /** The limit is reached; reading on is of no use. */
  get full(): boolean {
    return this.diagnostics.length >= seclangLimits.diagnosticsMax
  }

  add(code: string, span: Span, message: string, hint?: string): void {
    if (this.full) return
    this.diagnostics.push({ code, message, ...span, ...(hint === undefined ? {} : { hint }) })
  }
}
