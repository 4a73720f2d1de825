import type { SecurityEvent } from '../../../api/types.ts'
import { pathCondition } from '../../../domain/expression/path-condition.ts'
import { owaspRulesetId } from '../../../domain/ruleset/owasp/document.ts'
import type { SkipTarget } from '../../../domain/ruleset/rules/document.ts'
import { type Draft, newDraft } from '../../../domain/ruleset/rules/draft.ts'

/** Scope of an exception from an event: starts with all conditions, the narrowest scope. */
export interface ExceptionChoice {
  readonly host: boolean
  readonly path: boolean
  readonly method: boolean
  /** Ids of skipped rules. */
  readonly rules: readonly string[]
  /** Skips the rules for the matched value only, not for the whole request. */
  readonly onlyValue: boolean
  readonly description: string
  /** Seconds since 1970; undefined without an end date. */
  readonly endsAt: number | undefined
}

type MatchedRule = NonNullable<SecurityEvent['metadata']['rules']>[number]

export function matchedRules({ metadata }: SecurityEvent): readonly MatchedRule[] {
  return metadata.rules ?? []
}

/** Rules with points. The others keep the ruleset's state; they count only when no rule has points. */
export function countingRules<R extends { readonly score: number }>(rules: readonly R[]): readonly R[] {
  const counting = rules.filter(({ score }) => score > 0)
  return counting.length === 0 ? rules : counting
}

/** Rules that an exception from the event can skip. */
export function exceptableRules(event: SecurityEvent): readonly MatchedRule[] {
  return countingRules(matchedRules(event))
}

/** Exceptions apply to managed rules that inspect requests. */
export function canExcept(event: SecurityEvent): boolean {
  return event.metadata.ruleset_id === owaspRulesetId && matchedRules(event).length > 0
}

/** The narrowest exception: this kind of request, and the fewest rules that bring the score below the threshold. */
export function smallestChoice(event: SecurityEvent): ExceptionChoice {
  const rules = fewestRules(event)
  const numbers = matchedRules(event).flatMap(({ id, ref }) => (rules.includes(id) ? [ref] : []))
  return {
    host: true,
    path: true,
    method: true,
    rules,
    onlyValue: true,
    description: `${numbers.slice(0, 3).join(', ')}${numbers.length > 3 ? ' …' : ''} on ${event.path}`.slice(
      0,
      500,
    ),
    endsAt: undefined,
  }
}

/** Rules with the most points first; all of them when no subset suffices. */
function fewestRules(event: SecurityEvent): readonly string[] {
  const { score = 0, threshold = 0 } = event.metadata
  const rules = exceptableRules(event)
  // A rule that stops requests directly needs no score.
  let left = score < threshold ? Number.POSITIVE_INFINITY : score
  const chosen = new Set<string>()
  for (const rule of rules.toSorted((a, b) => b.score - a.score)) {
    if (left < threshold) break
    chosen.add(rule.id)
    left -= rule.score
  }
  return rules.flatMap(({ id }) => (chosen.has(id) ? [id] : []))
}

/** The event's score without these rules, if each matched only where the event says. */
export function remainingScore(event: SecurityEvent, { rules }: ExceptionChoice): number {
  const skipped = matchedRules(event).filter(({ id }) => rules.includes(id))
  return (event.metadata.score ?? 0) - skipped.reduce((sum, { score }) => sum + score, 0)
}

/** The host as rules see it: without the port. */
export function hostOf({ host }: SecurityEvent): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

export function expressionOf(event: SecurityEvent, { host, path, method }: ExceptionChoice): string {
  const parts = [
    ...(host ? [`http.host eq ${quoted(hostOf(event))}`] : []),
    ...(path ? [pathCondition(event.path)] : []),
    ...(method ? [`http.request.method eq ${quoted(event.method)}`] : []),
  ]
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Collections that exceptions can name, as docs/reference/rulesets.md lists them; keyed ones take the name of a value. */
const keyed: ReadonlySet<string> = new Set([
  'ARGS',
  'ARGS_GET',
  'ARGS_GET_NAMES',
  'ARGS_NAMES',
  'ARGS_POST',
  'ARGS_POST_NAMES',
  'FILES',
  'FILES_NAMES',
  'MULTIPART_PART_HEADERS',
  'REQUEST_COOKIES',
  'REQUEST_COOKIES_NAMES',
  'REQUEST_HEADERS',
  'REQUEST_HEADERS_NAMES',
])
const single: ReadonlySet<string> = new Set([
  'REQUEST_BASENAME',
  'REQUEST_FILENAME',
  'REQUEST_METHOD',
  'REQUEST_PROTOCOL',
])

/**
 * `ARGS:q` in the form of an exception.
 * @returns undefined for targets that exceptions cannot name, such as counts and engine variables. Also undefined for
 *   URI, query and body: they contain the arguments, in which the same rule would match again
 */
export function namedValue(target: string): Pick<SkipTarget, 'collection' | 'key'> | undefined {
  const colon = target.indexOf(':')
  const collection = colon === -1 ? target : target.slice(0, colon)
  const key = colon === -1 ? '' : target.slice(colon + 1)
  if (keyed.has(collection)) return key === '' ? { collection } : { collection, key }
  return single.has(collection) ? { collection } : undefined
}

/** The exception as a draft of the exceptions form. */
export function draftOf(event: SecurityEvent, choice: ExceptionChoice): Draft {
  const draft = newDraft('http_request_firewall_managed')
  const whole: string[] = []
  const targets: SkipTarget[] = []
  for (const { id, target } of matchedRules(event)) {
    if (!choice.rules.includes(id)) continue
    const value = choice.onlyValue ? namedValue(target) : undefined
    if (value === undefined) whole.push(id)
    else targets.push({ rule: id, ...value })
  }
  return {
    ...draft,
    description: choice.description,
    expression: expressionOf(event, choice),
    endsAt: choice.endsAt,
    skip: {
      ...draft.skip,
      scope: targets.length === 0 ? 'rules' : 'targets',
      rules: { [owaspRulesetId]: whole },
      targets,
    },
  }
}
