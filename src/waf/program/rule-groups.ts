import type { Variable } from '../variables/state.ts'
import type { CompiledRule } from './compiled.ts'
import { type Phase, phases } from './draft.ts'
import { addRule, newRuleBits, type RuleBits } from './rule-bits.ts'

/** Sets of a program's rules that all masks need. */
export interface RuleGroups {
  readonly all: RuleBits
  /** By phase: all rules. */
  readonly members: readonly RuleBits[]
  /** By phase: rules that run regardless of the prefilter. */
  readonly visit: readonly RuleBits[]
  /** Rules that decide whether a body is read. */
  readonly readRequestBody: RuleBits
  readonly readResponseBody: RuleBits
  readonly support: RuleBits
  /** Detection rules, by role and paranoia level. */
  readonly alike: readonly RuleBits[]
}

/** @param rules all rules of the program, by index */
export function groupsOf(rules: readonly CompiledRule[]): RuleGroups {
  const bits = (chosen: readonly CompiledRule[]): RuleBits => {
    const set = newRuleBits(rules.length)
    for (const rule of chosen) addRule(set, rule.info.index)
    return set
  }
  const inPhase = [0, ...phases].map(phase => rules.filter(rule => rule.info.phase === phase))
  const detecting = rules.filter(rule => rule.info.role !== 'support')
  const alike = Map.groupBy(detecting, ({ info }) => `${info.role} ${info.paranoiaLevel}`)
  return {
    all: bits(rules),
    members: inPhase.map(bits),
    visit: inPhase.map(members => bits(members.filter(rule => !rule.prefiltered))),
    readRequestBody: bits(readers(rules, 'request', 'request-body', 2)),
    readResponseBody: bits(readers(rules, 'response', 'response-body', 4)),
    support: bits(rules.filter(rule => rule.info.role === 'support')),
    alike: [...alike.values()].map(bits),
  }
}

/**
 * Detection rules decide; the machinery around them reads bodies only for these. Without detection rules on that side,
 * every rule decides.
 */
function readers(
  rules: readonly CompiledRule[],
  role: 'request' | 'response',
  needs: Variable['needs'],
  fromPhase: Phase,
): readonly CompiledRule[] {
  const detects = rules.some(rule => rule.info.role === role)
  return rules.filter(
    rule => rule.info.phase >= fromPhase && (!detects || rule.info.role === role) && reads(rule, needs),
  )
}

function reads(rule: CompiledRule, needs: Variable['needs']): boolean {
  return rule.links.some(link => link.targets.some(target => target.variable.needs === needs))
}
