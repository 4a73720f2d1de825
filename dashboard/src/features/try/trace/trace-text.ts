import type { RequestTrace, TraceItem } from '../../../api/types.ts'
import { phaseName } from '../../../domain/ruleset/phase-name.ts'
import type { Tone } from '../../../ui/display/status-dot.tsx'

/** Actions as records and rules spell them, with Cloudflare’s labels. */
const actions: Readonly<Record<string, string>> = {
  block: 'Block',
  log: 'Log',
  challenge: 'Legacy CAPTCHA',
  jschallenge: 'JS Challenge',
  managedChallenge: 'Managed Challenge',
  connectionClose: 'Connection closed',
  skip: 'Skip',
  challengeBypassed: 'Legacy CAPTCHA passed',
  jschallengeBypassed: 'JS Challenge passed',
  managedChallengeBypassed: 'Managed Challenge passed',
  managed_challenge: 'Managed Challenge',
  js_challenge: 'JS Challenge',
  set_config: 'Settings',
  execute: 'Execute',
  rewrite: 'Rewrite',
  redirect: 'Redirect',
  compress_response: 'Compression',
  route: 'Origin',
  score: 'Score',
}

export function actionName(action: string): string {
  return actions[action] ?? action
}

export interface Verdict {
  readonly tone: Tone
  readonly title: string
  /** The responsible rule, and the reason. */
  readonly text: string
}

/** The outcome of the request, in a sentence or two. */
export function verdictOf({ outcome, status_code: status = 0, trace, zone }: RequestTrace): Verdict {
  const found = outcome.rule_id === undefined ? undefined : findRule(trace, outcome.rule_id)
  if (outcome.reason !== undefined && outcome.reason !== '')
    return {
      tone: 'bad',
      title: `Refused with status ${status}`,
      text: `Invalid HTTP: ${outcome.reason}. The rules of ${zone.name} took no action.`,
    }
  if (outcome.kind === 'forward') {
    const text = `The origin of ${zone.name} would receive ${outcome.uri ?? ''} for ${outcome.host ?? ''}. ${logged(trace)}`
    return { tone: 'good', title: 'Reaches the origin', text }
  }
  const by = found === undefined ? `Edge response of ${zone.name}.` : ruleSentence(found)
  if (outcome.kind === 'drop') return { tone: 'bad', title: 'Connection closed without a response', text: by }
  if (outcome.location !== undefined)
    return { tone: 'warn', title: `Redirected with status ${status}`, text: `To ${outcome.location}.` }
  switch (outcome.action) {
    case 'block':
      return { tone: 'bad', title: `Blocked with status ${status}`, text: by }
    case 'challenge':
    case 'jschallenge':
    case 'managedChallenge':
      return { tone: 'warn', title: `${actionName(outcome.action)} with status ${status}`, text: by }
    case undefined:
      return { tone: 'warn', title: `Edge response with status ${status}`, text: by }
    default:
      return { tone: 'bad', title: `${actionName(outcome.action)}, status ${status}`, text: by }
  }
}

interface Found {
  readonly rule: TraceItem
  readonly phase: string
  /** The managed ruleset of the rule, if it is its anomaly score rule. */
  readonly managed: TraceItem | undefined
}

function findRule(trace: readonly TraceItem[], id: string): Found | undefined {
  for (const phase of trace) {
    const stack: { readonly item: TraceItem; readonly parent: TraceItem }[] = [{ item: phase, parent: phase }]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { item, parent } = next
      if (item.type === 'rule' && item.step_name === id) {
        const managed = parent.kind === 'managed' ? parent : undefined
        return { rule: item, phase: phase.step_name, managed }
      }
      for (const inner of item.trace ?? []) stack.push({ item: inner, parent: item })
    }
  }
  return undefined
}

function ruleSentence({ rule, phase, managed }: Found): string {
  if (managed !== undefined) {
    const { score = 0, score_threshold: threshold = 0 } = managed
    const name = managed.name || 'the managed ruleset'
    return score >= threshold
      ? `The score ${score} reaches the threshold ${threshold} of ${name}.`
      : `A single rule of ${name} stops it; the score is ${score} of ${threshold}.`
  }
  return `By the rule “${rule.description || rule.step_name}” (${phaseName(phase).toLowerCase()}).`
}

function logged(trace: readonly TraceItem[]): string {
  const count = rulesOf(trace).filter(rule => rule.did === 'log').length
  return count === 0
    ? 'No rule stops it.'
    : `No rule stops it; ${count === 1 ? 'one logs' : `${count} log`} it.`
}

/** All rules of a trace, including those of executed rulesets. */
export function rulesOf(items: readonly TraceItem[]): TraceItem[] {
  return items.flatMap(item => [...(item.type === 'rule' ? [item] : []), ...rulesOf(item.trace ?? [])])
}

interface EvaluationText {
  readonly tone: Tone
  readonly text: string
}

/** The result of one rule. */
export function evaluationText(rule: TraceItem): EvaluationText {
  if (rule.evaluation === 'matched' && rule.skipped_by !== undefined)
    return { tone: 'none', text: 'Matched, but skipped' }
  switch (rule.evaluation) {
    case 'matched':
      return {
        tone: rule.did === 'block' || rule.did === 'connectionClose' ? 'bad' : 'warn',
        text: 'Matched',
      }
    case 'not_matched':
      return { tone: 'none', text: 'No match' }
    case 'skipped':
      return { tone: 'none', text: 'Skipped' }
    case 'failed':
      return { tone: 'bad', text: 'Too costly' }
    default:
      return { tone: 'none', text: 'Not reached' }
  }
}

/** The result of a phase in a word. */
export function phaseText(phase: TraceItem): EvaluationText {
  if (phase.reached === false) return { tone: 'none', text: 'Not reached' }
  const rules = rulesOf(phase.trace ?? []).filter(rule => rule.match === undefined)
  const acting = rules.find(rule => rule.did !== undefined && rule.did !== 'log' && rule.did !== 'skip')
  if (acting?.did !== undefined) return { tone: 'bad', text: actionName(acting.did) }
  const matched = rules.filter(rule => rule.evaluation === 'matched').length
  if (matched === 0) return { tone: 'good', text: 'No match' }
  return { tone: 'warn', text: `${matched} of ${rules.length} matched` }
}
