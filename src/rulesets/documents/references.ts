import type { Problem } from '../../model/problem.ts'
import type { Rule, Ruleset } from '../../model/resource.ts'
import { refusal, rulesetCodes } from '../problems.ts'
import type { ManagedRuleset } from './write-context.ts'

/**
 * Why a ruleset, or its latest version, cannot be deleted: a rule executes it. Undefined when none does.
 * @param rulesets every ruleset of the same scope
 */
export function rulesetInUse({ id }: Pick<Ruleset, 'id'>, rulesets: readonly Ruleset[]): Problem | undefined {
  for (const other of rulesets) {
    const rule = other.rules.find(candidate => executes(candidate, id))
    if (rule === undefined) continue
    const message = `ruleset ${id} cannot be deleted because rule ${rule.id} of ruleset ${other.id} executes it; delete that rule first`
    return refusal(rulesetCodes.rulesetInUse, message, '')
  }
  return undefined
}

function executes({ action, actionParameters }: Rule, id: string): boolean {
  return action === 'execute' && actionParameters?.['id'] === id
}

/** A managed ruleset reduced to the rules that carry a tag. */
export function rulesByTag<R extends ManagedRuleset>(ruleset: R, tag: string): R {
  return { ...ruleset, rules: ruleset.rules.filter(rule => rule.categories?.includes(tag) === true) }
}
