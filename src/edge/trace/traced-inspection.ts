import type { TracedInspection, TracedMatch } from '../../model/request-trace.ts'
import { shown } from '../../waf/index.ts'
import type { RuleMatch } from '../../waf/types.ts'
import { type Decisions, type Inspection, matchesOf, scoreOf } from '../exchange/decisions.ts'
import { asText } from '../records/text.ts'
import type { Explained } from './explained-matches.ts'
import { edgeTraceLimits } from './limits.ts'

/** The matches of one run of a managed ruleset, rule by rule, and its result. */
export function tracedInspection(
  inspection: Inspection,
  { entries }: Decisions,
  explained: Explained | undefined,
): TracedInspection {
  const { execution, acts, broken, transaction } = inspection
  // Rules such as the sources' own blocking evaluation are not part of the ruleset.
  const matches = broken ? [] : matchesOf(inspection).filter(({ rule }) => rule.role === inspection.side)
  let total = 0
  const listed = matches.slice(0, edgeTraceLimits.matchesMax).map(match => {
    total += match.rule.score
    return tracedMatch(inspection, match, total, explained?.get(match.rule.index) ?? [])
  })
  return {
    rulesetId: execution.rulesetId,
    version: execution.rulesetVersion,
    score: broken ? 0 : scoreOf(inspection),
    threshold: execution.threshold,
    action: execution.action,
    lastRuleId: execution.lastRuleId,
    acts,
    acted: entries.some(entry => entry.inspection === inspection),
    incomplete: broken || transaction.overBudget,
    rulesOn: execution.program.rules.filter(
      ({ index, role }) => role === inspection.side && execution.mask.enabled[index] === 1,
    ).length,
    matches: listed,
    matchesOmitted: matches.length - listed.length,
  }
}

function tracedMatch(
  { execution }: Inspection,
  match: RuleMatch,
  total: number,
  conditions: TracedMatch['conditions'],
): TracedMatch {
  const { rule } = match
  return {
    id: execution.ruleIds[rule.index] ?? '',
    ref: String(rule.id),
    phase: rule.phase,
    paranoiaLevel: rule.paranoiaLevel,
    severity: rule.severity ?? '',
    message: asText(match.message),
    tags: rule.tags,
    target: excerpt(match.target),
    value: excerpt(match.value),
    data: excerpt(match.data),
    score: rule.score,
    total,
    conditions,
  }
}

/** Shortened to one line of limited length. */
function excerpt(bytes: string): string {
  const { text, cut } = shown(bytes, edgeTraceLimits.valueBytesMax)
  return cut ? `${text}…` : text
}
