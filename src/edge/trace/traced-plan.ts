import { WorkExceededError } from '../../expressions/index.ts'
import type { RequestView } from '../../rulesets/fields/request-view.ts'
import type { PlanEffect, PlanPhase, PlanRule, PlanRuleset, ZonePlan } from '../../rulesets/plan/plan.ts'
import type { Exception, Program, RuleMask, Transaction, WafRequest } from '../../waf/types.ts'

/** The result of a rule's expression; absent when it was not evaluated. */
export type Asked = 'matched' | 'not_matched' | 'failed'

/**
 * A copy of the running plan whose rules note the results of their expressions. The edge runs it like any plan, so the
 * request path needs no code for traces.
 */
export interface TracedPlan {
  readonly plan: ZonePlan
  readonly asked: ReadonlyMap<PlanRule, Asked>
  readonly begun: Begun
}

/** The inputs of the runs of managed rulesets. */
export type Begun = ReadonlyMap<Transaction, TracedRun>

export interface TracedRun {
  readonly program: Program
  readonly request: WafRequest
  readonly mask: RuleMask
  readonly exceptions: readonly Exception[]
}

/** The notes of one trace. */
interface Notes {
  readonly asked: Map<PlanRule, Asked>
  readonly begun: Map<Transaction, TracedRun>
}

/** Leaves out the zone's shadow and samples, which do not affect requests. */
export function tracedPlan(running: ZonePlan): TracedPlan {
  const notes: Notes = { asked: new Map(), begun: new Map() }
  const phase = (one: PlanPhase): PlanPhase => ({
    ...one,
    rulesets: one.rulesets.map(ruleset => tracedRuleset(ruleset, notes)),
  })
  const optional = (one: PlanPhase | undefined) => (one === undefined ? undefined : phase(one))
  const plan: ZonePlan = {
    ...running,
    request: running.request.map(phase),
    customErrors: optional(running.customErrors),
    responseHeaders: optional(running.responseHeaders),
    compression: optional(running.compression),
    response: optional(running.response),
    shadow: undefined,
    sampleRate: 0,
  }
  return { plan, ...notes }
}

function tracedRuleset(ruleset: PlanRuleset, notes: Notes): PlanRuleset {
  return { ...ruleset, rules: ruleset.rules.map(rule => tracedRule(rule, notes)) }
}

function tracedRule(rule: PlanRule, notes: Notes): PlanRule {
  const { asked } = notes
  const matches = (view: RequestView): boolean => {
    try {
      const matched = rule.matches(view)
      asked.set(traced, matched ? 'matched' : 'not_matched')
      return matched
    } catch (error) {
      if (error instanceof WorkExceededError) asked.set(traced, 'failed')
      throw error
    }
  }
  const traced: PlanRule = { ...rule, matches, effect: tracedEffect(rule, matches, notes) }
  return traced
}

function tracedEffect(
  { effect, matches: own }: PlanRule,
  matches: PlanRule['matches'],
  notes: Notes,
): PlanEffect {
  if (effect.kind === 'execute') return { ...effect, program: tracedProgram(effect.program, notes.begun) }
  if (effect.kind === 'execute-custom') return { ...effect, ruleset: tracedRuleset(effect.ruleset, notes) }
  // A rate limit whose two expressions are the same object evaluates it once.
  if (effect.kind === 'action' && effect.limit?.counts === own)
    return { ...effect, limit: { ...effect.limit, counts: matches } }
  return effect
}

/** Wraps a program. Its masks and exceptions stay valid. */
function tracedProgram(program: Program, begun: Map<Transaction, TracedRun>): Program {
  return {
    rules: program.rules,
    mask: off => program.mask(off),
    exception: spec => program.exception(spec),
    observe: (request, mask, observer, exceptions) => program.observe(request, mask, observer, exceptions),
    inspect: (request, mask) => program.inspect(request, mask),
    rehearse: (request, mask, exceptions) => program.rehearse(request, mask, exceptions),
    begin(request, mask, exceptions = []) {
      const transaction = program.rehearse(request, mask, exceptions)
      begun.set(transaction, { program, request, mask, exceptions })
      return transaction
    },
  }
}
