import type { PlanRedaction } from '../../rulesets/plan/redaction.ts'
import type { Inspection } from '../exchange/decisions.ts'
import type { ClientRequest } from '../message/client-request.ts'
import { type FoundRules, foundRules } from './match-texts.ts'
import { redactHost, redactText, redactUri } from './redaction/redact.ts'
import { asText } from './text.ts'

/** The client's request as redacted text, equal in all records of the request. */
export interface RequestTexts {
  readonly method: string
  readonly protocol: string
  readonly host: string
  /** Path and query together, then separately; the query has no `?`. */
  readonly uri: string
  readonly path: string
  readonly query: string
  readonly referer: string
  readonly userAgent: string
  readonly requestedWith: string
}

/** The texts that all records of one exchange share, made once. */
export interface RecordTexts {
  readonly request: RequestTexts
  readonly found: readonly FoundRules[]
}

export function recordTexts(
  request: ClientRequest,
  inspections: readonly Inspection[],
  redaction: PlanRedaction,
): RecordTexts {
  return { request: requestTexts(request, redaction), found: foundRules(inspections, redaction) }
}

export function requestTexts(request: ClientRequest, redaction: PlanRedaction): RequestTexts {
  const uri = redactUri(redaction, asText(request.uri), 'uri')
  const questionMark = uri.indexOf('?')
  const header = (lowerName: string): string => asText(request.header(lowerName) ?? '')
  return {
    method: asText(request.method),
    protocol: asText(request.version),
    host: redactHost(redaction, asText(request.host)),
    uri,
    path: questionMark < 0 ? uri : uri.slice(0, questionMark),
    query: questionMark < 0 ? '' : uri.slice(questionMark + 1),
    referer: redactUri(redaction, header('referer'), 'query'),
    userAgent: redactText(redaction, header('user-agent')),
    requestedWith: redactText(redaction, header('x-requested-with')),
  }
}
