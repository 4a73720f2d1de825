import type { PlanRedaction } from '../../../rulesets/plan/redaction.ts'
import { recordLimits } from '../../limits.ts'
import { redactedBeginning, redactHost, redactText, redactUri } from '../redaction/redact.ts'

/** A path for a span, redacted as in records. Its query is left out: programs put tokens there that no rule knows. */
export function pathForSpan(redaction: PlanRedaction, uri: string): string {
  const questionMark = uri.indexOf('?')
  const path = questionMark < 0 ? uri : uri.slice(0, questionMark)
  return short(path, text => redactUri(redaction, text))
}

export function hostForSpan(redaction: PlanRedaction, host: string): string {
  return short(host, text => redactHost(redaction, text))
}

export function headerForSpan(redaction: PlanRedaction, value: string): string {
  return short(value, text => redactText(redaction, text))
}

function short(bytes: string, redact: (text: string) => string): string {
  return redactedBeginning(bytes, recordLimits.spanTextBytesMax, redact)
}
