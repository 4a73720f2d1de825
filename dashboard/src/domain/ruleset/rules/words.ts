import { describeCharacteristics } from './characteristics.ts'
import type { RateLimit, Rule, SkipTarget } from './document.ts'

const actions: Readonly<Record<string, string>> = {
  block: 'Block',
  managed_challenge: 'Managed Challenge',
  js_challenge: 'JS Challenge',
  challenge: 'Legacy CAPTCHA (interactive)',
  log: 'Log',
  skip: 'Skip',
  execute: 'Execute ruleset',
}

/** Labels of Cloudflare's dashboard. */
export function actionLabel(action: string): string {
  return actions[action] ?? action
}

/** Shorter labels for lists. */
export function actionShort(action: string): string {
  return action === 'challenge' ? 'Legacy CAPTCHA' : actionLabel(action)
}

export const phaseLabels: Readonly<Record<string, string>> = {
  http_ratelimit: 'All rate limiting rules',
  http_request_firewall_managed: 'All managed rules',
  http_request_sbfm: 'All Super Bot Fight Mode rules',
}

/** Products that a rule can skip. Sluice lacks some of them, so that rules can be imported unchanged. */
export const productLabels: Readonly<Record<string, string>> = {
  zoneLockdown: 'Zone Lockdown',
  uaBlock: 'User Agent Blocking',
  bic: 'Browser Integrity Check',
  hot: 'Hotlink Protection',
  securityLevel: 'Security Level',
  rateLimit: 'Rate limiting rules (previous version)',
  waf: 'Managed rules (previous version)',
}

/** One line about a rule apart from its action; may be empty. */
export function describeRule(rule: Rule): string {
  if (rule.action === 'skip') return describeSkip(rule)
  const limit = rule.ratelimit === undefined ? '' : describeLimit(rule.ratelimit)
  const response = rule.action_parameters?.response
  const answer = response === undefined ? '' : `responds ${response.status_code} ${response.content_type}`
  return [limit, answer].filter(text => text !== '').join(', ')
}

export function describeLimit(limit: RateLimit): string {
  const { requests_per_period: requests, score_per_period: score, period } = limit
  const most =
    requests === undefined
      ? `score ${count(score ?? 0)}`
      : `${count(requests)} ${requests === 1 ? 'request' : 'requests'}`
  return `${most} in ${durationText(period)} by ${describeCharacteristics(limit.characteristics)}`
}

function describeSkip({ action_parameters: parameters = {}, logging }: Rule): string {
  const parts = [
    ...(parameters.ruleset === undefined ? [] : ['all remaining rules']),
    ...(parameters.phase === undefined ? [] : ['the rest of the phase']),
    ...(parameters.phases ?? []).map(phase => lowerFirst(phaseLabels[phase] ?? phase)),
    ...(parameters.rulesets === undefined ? [] : [plural(parameters.rulesets.length, 'whole ruleset')]),
    ...(parameters.rules === undefined
      ? []
      : [plural(Object.values(parameters.rules).flat().length, 'rule')]),
    ...(parameters.targets ?? []).slice(0, 2).map(describeTarget),
    ...((parameters.targets?.length ?? 0) > 2 ? [`${parameters.targets!.length - 2} more values`] : []),
    ...(parameters.products === undefined ? [] : [plural(parameters.products.length, 'older product')]),
  ]
  return parts.join(', ') + (logging?.enabled === false ? ', not logged' : '')
}

export function describeTarget({ collection, key, key_pattern, json_path, tag }: SkipTarget): string {
  const name = key ?? json_path ?? (key_pattern === undefined ? undefined : `/${key_pattern}/`)
  const what = name === undefined ? collection : `${collection}:${name}`
  return tag === undefined ? `${what} for one rule` : `${what} for ${tag}`
}

/** `90` as “90 seconds”, `3600` as “1 hour”. */
export function durationText(seconds: number): string {
  for (const [unit, length] of [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    if (seconds >= length && seconds % length === 0) return plural(seconds / length, unit)
  }
  return plural(seconds, 'second')
}

export function plural(n: number, word: string): string {
  return `${count(n)} ${word}${n === 1 ? '' : 's'}`
}

function count(n: number): string {
  return n.toLocaleString('en')
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
