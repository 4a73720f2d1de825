import type { SecurityEvent } from '../../api/types.ts'
import { owaspRulesetId } from '../../managed/document.ts'
import type { SkipTarget } from '../rules/document.ts'
import { type Draft, newDraft } from '../rules/draft.ts'

/** How much of an event an exception from it means: everything at first, which is the smallest exception. */
export interface ExceptionChoice {
  readonly host: boolean
  readonly path: boolean
  readonly method: boolean
  /** Rules that are left out, by their ids. */
  readonly rules: readonly string[]
  /** Leaves them out for the value that matched, and not for the whole request. */
  readonly onlyValue: boolean
  readonly description: string
  /** Seconds since 1970; undefined for no end. */
  readonly endsAt: number | undefined
}

type MatchedRule = NonNullable<SecurityEvent['metadata']['rules']>[number]

export function matchedRules({ metadata }: SecurityEvent): readonly MatchedRule[] {
  return metadata.rules ?? []
}

/** Those with points: the others keep the books of the ruleset, unless there is nothing else. */
export function countingRules<R extends { readonly score: number }>(rules: readonly R[]): readonly R[] {
  const counting = rules.filter(({ score }) => score > 0)
  return counting.length === 0 ? rules : counting
}

/** Rules that an exception from the event can leave out. */
export function exceptableRules(event: SecurityEvent): readonly MatchedRule[] {
  return countingRules(matchedRules(event))
}

/** Exceptions are for managed rules that looked at the request. */
export function canExcept(event: SecurityEvent): boolean {
  return event.metadata.ruleset_id === owaspRulesetId && matchedRules(event).length > 0
}

/** The smallest: one request of its kind, and the fewest rules without which the score is below the threshold. */
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

/** Those with the most points first. All of them where no number of them is enough. */
function fewestRules(event: SecurityEvent): readonly string[] {
  const { score = 0, threshold = 0 } = event.metadata
  const rules = exceptableRules(event)
  // A rule that stops requests by itself needs no score.
  let left = score < threshold ? Number.POSITIVE_INFINITY : score
  const chosen = new Set<string>()
  for (const rule of rules.toSorted((a, b) => b.score - a.score)) {
    if (left < threshold) break
    chosen.add(rule.id)
    left -= rule.score
  }
  return rules.flatMap(({ id }) => (chosen.has(id) ? [id] : []))
}

/** What the score of the event would have been, if each rule matched nowhere but where the event says. */
export function remainingScore(event: SecurityEvent, { rules }: ExceptionChoice): number {
  const skipped = matchedRules(event).filter(({ id }) => rules.includes(id))
  return (event.metadata.score ?? 0) - skipped.reduce((sum, { score }) => sum + score, 0)
}

/** The host as rules see it: without a port. */
export function hostOf({ host }: SecurityEvent): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

export function expressionOf(event: SecurityEvent, { host, path, method }: ExceptionChoice): string {
  const parts = [
    ...(host ? [`http.host eq ${quoted(hostOf(event))}`] : []),
    ...(path ? [`http.request.uri.path eq ${quoted(event.path)}`] : []),
    ...(method ? [`http.request.method eq ${quoted(event.method)}`] : []),
  ]
  return parts.length === 0 ? 'true' : parts.join(' and ')
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Collections that exceptions can name, as docs/rulesets.md lists them; those with keys have a name in their values. */
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
 * `ARGS:q` as an exception names it.
 * @returns undefined for what it cannot name, such as counts and variables of the engine, and for what it had better not:
 * URI, query and body hold arguments, in which the same rule would match again
 */
export function namedValue(target: string): Pick<SkipTarget, 'collection' | 'key'> | undefined {
  const colon = target.indexOf(':')
  const collection = colon === -1 ? target : target.slice(0, colon)
  const key = colon === -1 ? '' : target.slice(colon + 1)
  if (keyed.has(collection)) return key === '' ? { collection } : { collection, key }
  return single.has(collection) ? { collection } : undefined
}

/** The form of the exception, as the page of exceptions would write it. */
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
