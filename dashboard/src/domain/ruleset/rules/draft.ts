import { type Characteristic, readCharacteristic, writeCharacteristic } from './characteristics.ts'
import type { ActionParameters, Definition, ListPhase, RateLimit, Rule, SkipTarget } from './document.ts'
import { readExpiry, writeExpiry } from './expiry.ts'

/** The state of a rule form, with members for every action. */
export interface Draft {
  readonly description: string
  readonly expression: string
  readonly endsAt: number | undefined
  readonly action: string
  readonly enabled: boolean
  readonly response: ResponseDraft | undefined
  readonly skip: SkipDraft
  readonly logging: boolean
  readonly limit: LimitDraft
}

export interface ResponseDraft {
  readonly statusCode: number
  readonly contentType: string
  readonly content: string
}

/** Scopes of exceptions, from smallest to largest. */
export type Scope = 'targets' | 'rules' | 'rulesets' | 'all'

export interface SkipDraft {
  readonly scope: Scope
  /** For custom rules and rate limits: the rest of the list. */
  readonly remaining: boolean
  readonly phases: readonly string[]
  readonly products: readonly string[]
  readonly rulesets: readonly string[]
  /** Rules by managed ruleset. */
  readonly rules: Readonly<Record<string, readonly string[]>>
  readonly targets: readonly SkipTarget[]
}

export interface LimitDraft {
  readonly characteristics: readonly Characteristic[]
  readonly period: number
  readonly by: 'requests' | 'score'
  readonly requests: number
  readonly score: number
  readonly scoreHeader: string
  readonly timeout: number
  /** Undefined counts the requests that match the rule's own expression. */
  readonly counting: string | undefined
  readonly toOrigin: boolean
}

const noSkip: SkipDraft = {
  scope: 'rules',
  remaining: false,
  phases: [],
  products: [],
  rulesets: [],
  rules: {},
  targets: [],
}

const newLimit: LimitDraft = {
  characteristics: [{ kind: 'ip.src', text: '' }],
  period: 60,
  by: 'requests',
  requests: 100,
  score: 100,
  scoreHeader: '',
  timeout: 60,
  counting: undefined,
  toOrigin: false,
}

const firstActions: Readonly<Record<ListPhase, string>> = {
  http_request_firewall_custom: 'managed_challenge',
  http_ratelimit: 'block',
  http_request_firewall_managed: 'skip',
}

export function newDraft(phase: ListPhase): Draft {
  return {
    description: '',
    expression: '',
    endsAt: undefined,
    action: firstActions[phase],
    enabled: true,
    response: undefined,
    skip: noSkip,
    logging: true,
    limit: newLimit,
  }
}

export function readDraft(rule: Rule): Draft {
  const { response } = rule.action_parameters ?? {}
  return {
    description: rule.description ?? '',
    ...readExpiry(rule.expression),
    action: rule.action,
    enabled: rule.enabled,
    response: response && {
      statusCode: response.status_code,
      contentType: response.content_type,
      content: response.content,
    },
    skip: rule.action === 'skip' ? readSkip(rule.action_parameters ?? {}) : noSkip,
    logging: rule.logging?.enabled ?? true,
    limit: rule.ratelimit === undefined ? newLimit : readLimit(rule.ratelimit),
  }
}

function readSkip({ ruleset, phases, products, rulesets, rules, targets }: ActionParameters): SkipDraft {
  return {
    scope:
      ruleset !== undefined
        ? 'all'
        : rulesets !== undefined
          ? 'rulesets'
          : targets !== undefined
            ? 'targets'
            : 'rules',
    remaining: ruleset !== undefined,
    phases: phases ?? [],
    products: products ?? [],
    rulesets: rulesets ?? [],
    rules: rules ?? {},
    targets: targets ?? [],
  }
}

function readLimit(limit: RateLimit): LimitDraft {
  const { requests_per_period: requests, score_per_period: score, counting_expression: counting } = limit
  return {
    characteristics: limit.characteristics.map(readCharacteristic),
    period: limit.period,
    by: score === undefined ? 'requests' : 'score',
    requests: requests ?? newLimit.requests,
    score: score ?? newLimit.score,
    scoreHeader: limit.score_response_header_name ?? '',
    timeout: limit.mitigation_timeout ?? 0,
    counting: counting === undefined || counting === '' ? undefined : counting,
    toOrigin: limit.requests_to_origin ?? false,
  }
}

/**
 * The rule in the API's form.
 * @param rule the saved rule; parameters that the form does not show are kept while the action stays the same
 */
export function writeDraft(draft: Draft, phase: ListPhase, rule: Rule | undefined): Definition {
  const parameters = writeParameters(draft, phase, rule)
  const description = draft.description.trim()
  return {
    action: draft.action,
    expression: writeExpiry(draft),
    enabled: draft.enabled,
    ...(description === '' ? {} : { description }),
    ...(rule === undefined || rule.ref === rule.id ? {} : { ref: rule.ref }),
    ...(parameters === undefined ? {} : { action_parameters: parameters }),
    ...(draft.action === 'skip' ? { logging: { enabled: draft.logging } } : {}),
    ...(phase === 'http_ratelimit' && isLimited(draft.action)
      ? { ratelimit: writeLimit(draft.limit, rule?.ratelimit) }
      : {}),
  }
}

/** Actions of rate limiting rules. */
export function isLimited(action: string): boolean {
  return action !== 'skip' && action !== 'execute'
}

function writeParameters(
  draft: Draft,
  phase: ListPhase,
  rule: Rule | undefined,
): ActionParameters | undefined {
  const { action, response } = draft
  if (action === 'block' && response !== undefined) {
    const { statusCode: status_code, contentType: content_type, content } = response
    return { response: { status_code, content_type, content } }
  }
  if (action === 'skip') return writeSkip(draft.skip, phase, rule)
  return action === 'execute' && rule?.action === 'execute' ? rule.action_parameters : undefined
}

function writeSkip(skip: SkipDraft, phase: ListPhase, rule: Rule | undefined): ActionParameters {
  if (phase === 'http_request_firewall_managed') return writeException(skip)
  // Members that only exceptions have, such as skipped rulesets, are kept.
  const kept = rule?.action === 'skip' ? (rule.action_parameters ?? {}) : {}
  const { ruleset: _ruleset, phases: _phases, products: _products, ...others } = kept
  return {
    ...others,
    ...(skip.remaining ? { ruleset: 'current' } : {}),
    ...(skip.phases.length === 0 ? {} : { phases: skip.phases }),
    ...(skip.products.length === 0 ? {} : { products: skip.products }),
  }
}

/** Leaves out members of other scopes; rules and values form one scope. */
function writeException({ scope, rulesets, rules, targets }: SkipDraft): ActionParameters {
  if (scope === 'all') return { ruleset: 'current' }
  if (scope === 'rulesets') return { rulesets }
  const chosen = Object.fromEntries(Object.entries(rules).filter(([, ids]) => ids.length > 0))
  if (scope === 'rules') return { rules: chosen }
  return { ...(Object.keys(chosen).length === 0 ? {} : { rules: chosen }), targets }
}

function writeLimit(limit: LimitDraft, before: RateLimit | undefined): RateLimit {
  return {
    characteristics: limit.characteristics.map(writeCharacteristic).filter(text => text !== ''),
    period: limit.period,
    ...(limit.by === 'requests'
      ? { requests_per_period: limit.requests }
      : { score_per_period: limit.score, score_response_header_name: limit.scoreHeader.trim() }),
    mitigation_timeout: limit.timeout,
    ...(limit.counting === undefined ? {} : { counting_expression: limit.counting }),
    ...(limit.toOrigin || before?.requests_to_origin !== undefined
      ? { requests_to_origin: limit.toOrigin }
      : {}),
  }
}

/** The first missing input, as one sentence; undefined when the draft is complete. */
export function missingIn(draft: Draft, phase: ListPhase): string | undefined {
  if (draft.expression.trim() === '') return 'Enter an expression.'
  if (draft.action === 'block' && draft.response !== undefined && draft.response.content === '')
    return 'Enter a response body.'
  if (draft.action === 'skip') return missingInSkip(draft.skip, phase)
  return phase === 'http_ratelimit' && isLimited(draft.action) ? missingInLimit(draft.limit) : undefined
}

function missingInSkip(skip: SkipDraft, phase: ListPhase): string | undefined {
  if (phase !== 'http_request_firewall_managed') {
    const chosen = skip.remaining || skip.phases.length + skip.products.length + skip.rulesets.length > 0
    return chosen ? undefined : 'Select at least one component to skip.'
  }
  if (skip.scope === 'rulesets' && skip.rulesets.length === 0) return 'Select at least one ruleset.'
  if (skip.scope === 'rules' && Object.values(skip.rules).flat().length === 0)
    return 'Select at least one rule.'
  if (skip.scope !== 'targets') return undefined
  if (skip.targets.length === 0) return 'Add at least one value to exclude.'
  const isWhole = skip.targets.every(target => target.rule !== undefined || (target.tag ?? '') !== '')
  if (!isWhole) return 'Each value needs a rule or a tag.'
  const isNamed = skip.targets.every(
    ({ key, key_pattern, json_path }) => ![key, key_pattern, json_path].includes(''),
  )
  return isNamed ? undefined : 'Enter the name or path of each value.'
}

function missingInLimit(limit: LimitDraft): string | undefined {
  if (limit.characteristics.length === 0) return 'Add at least one characteristic.'
  const isNamed = limit.characteristics.every(one =>
    one.kind === '' || needsName(one) ? one.text.trim() !== '' : true,
  )
  if (!isNamed) return 'Enter a name for each characteristic.'
  if (limit.by === 'score' && limit.scoreHeader.trim() === '')
    return 'Enter the response header with the score.'
  if (limit.counting !== undefined && limit.counting.trim() === '') return 'Enter a counting expression.'
  return undefined
}

function needsName({ kind }: Characteristic): boolean {
  return writeCharacteristic({ kind, text: 'x' }) !== writeCharacteristic({ kind, text: '' })
}
