import type { ManagedExecution } from '../../rulesets/plan/plan.ts'
import type { PlanRedaction } from '../../rulesets/plan/redaction.ts'
import type { ProgramRule, RuleMatch } from '../../waf/types.ts'
import { type Inspection, matchesOf } from '../exchange/decisions.ts'
import { recordLimits } from '../limits.ts'
import { redactedBeginning, redactText } from './redaction/redact.ts'

/** The matched rules of one run, at least one, as all records of the request list them. */
export interface FoundRules {
  readonly inspection: Inspection
  readonly matches: readonly RuleMatch[]
  /** The redacted target of each match, as JSON. */
  readonly targets: readonly string[]
}

/** @returns the runs that found something, in order */
export function foundRules(
  inspections: readonly Inspection[],
  redaction: PlanRedaction,
): readonly FoundRules[] {
  const found: FoundRules[] = []
  for (const inspection of inspections) {
    const matches = matchesOf(inspection)
    if (matches.length === 0) continue
    found.push({ inspection, matches, targets: targetTexts(matches, redaction) })
  }
  return found
}

/** Most rules that match an attack match in the same part of the request, one after the other. */
function targetTexts(matches: readonly RuleMatch[], redaction: PlanRedaction): readonly string[] {
  const texts: string[] = []
  let last: string | undefined
  for (const { target } of matches) {
    const text = target === last ? texts.at(-1)! : JSON.stringify(recordedTarget(target, redaction))
    texts.push(text)
    last = target
  }
  return texts
}

/** A client chooses the name of a matched argument: `ARGS:name`. */
export function recordedTarget(target: string, redaction: PlanRedaction): string {
  return redactedBeginning(target, recordLimits.recordedTargetBytesMax, text => redactText(redaction, text))
}

/** The JSON of a run in the records, up to the first member that differs between its requests. */
interface RunTexts {
  /** Of `MatchedRules` in `http_requests`; `,"rules":` follows. */
  readonly inRequest: string
  /** Of `Metadata` in `firewall_events`; `,"score":` follows. */
  readonly inEvent: string
}

const knownRuns = new WeakMap<ManagedExecution, RunTexts>()

export function runTexts(execution: ManagedExecution): RunTexts {
  let texts = knownRuns.get(execution)
  if (texts === undefined) {
    const { rulesetId, rulesetVersion } = execution
    const run = { product: 'firewallManaged', rulesetId, rulesetVersion: Number(rulesetVersion) }
    texts = { inRequest: opened(run), inEvent: opened(executionMetadata(execution)) }
    knownRuns.set(execution, texts)
  }
  return texts
}

export function executionMetadata({ rulesetId, rulesetVersion }: ManagedExecution): object {
  return {
    type: 'managed',
    ruleset_id: rulesetId,
    ruleset_version: rulesetVersion,
    version: rulesetVersion,
  }
}

/** The JSON of an object without its last brace. */
function opened(object: object): string {
  return JSON.stringify(object).slice(0, -1)
}

/** The JSON of a match in the records, up to the first member that differs between matches of the rule. */
interface RuleTexts {
  /** Of `MatchedRules` in `http_requests`; the target and `}}` follow. */
  readonly inRequest: string
  /** Of `Metadata` in `firewall_events`; the total score, the target and `}` follow. */
  readonly inEvent: string
}

/**
 * Made when the rule first matches: an attack matches a dozen rules. A rule belongs to one program, so all zones that run
 * the program share them.
 */
const knownRules = new WeakMap<ProgramRule, RuleTexts>()

export function ruleTexts(execution: ManagedExecution, rule: ProgramRule): RuleTexts {
  let texts = knownRules.get(rule)
  if (texts === undefined) {
    texts = makeTexts(execution, rule)
    knownRules.set(rule, texts)
  }
  return texts
}

function makeTexts({ ruleIds }: ManagedExecution, rule: ProgramRule): RuleTexts {
  const id = JSON.stringify(ruleIds[rule.index] ?? '')
  const { id: ref, score } = rule
  return {
    inRequest: `{"id":${id},"metadata":{"ref":"${ref}","score":"${score}","target":`,
    inEvent: `{"id":${id},"ref":"${ref}","score":${score},"total":`,
  }
}
