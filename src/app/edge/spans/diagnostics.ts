import { DiagLogLevel, diag } from '@opentelemetry/api'
import { spanLimits } from '../../limits.ts'

/**
 * Takes the diagnostics of OpenTelemetry in this thread, from warnings on. Texts that differ only in numbers are told
 * once, and a few texts at all, until `again`.
 */
export function takeDiagnostics(onProblem: (text: string) => void): {
  /** The collector has another state, so all of them can be told once more. */
  again(): void
  end(): void
} {
  const told = new Set<string>()
  const tell = (...parts: readonly unknown[]): void => {
    const text = parts.map(String).join(' ').slice(0, spanLimits.textCharactersMax)
    const kind = text.replace(/\d+/g, '')
    if (told.has(kind) || told.size >= spanLimits.diagnosticsMax) return
    told.add(kind)
    onProblem(text)
  }
  const silent = (): void => {}
  const logger = { error: tell, warn: tell, info: silent, debug: silent, verbose: silent }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  return { again: () => told.clear(), end: () => diag.disable() }
}
