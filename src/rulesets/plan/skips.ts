import { bytesOfText } from '../../kit/bytes.ts'
import type { EvaluatedRuleset, Json, Phase, Rule } from '../../model/resource.ts'
import type { ExceptedTarget, Exception, ProgramRule } from '../../waf/types.ts'
import { jsonArgumentName } from '../json-argument.ts'
import { rulesByIndex } from '../managed/overrides.ts'
import { ruleIdsOf, verdictRuleOf } from '../managed/owasp.ts'
import type { SkipParameters, SkipTarget } from '../schemas/skip.ts'
import type { ManagedProgram, SkipEffect, SkippedRules } from './plan.ts'
import { SharedByProgram } from './shared-by-program.ts'

function parametersOf(rule: Rule): SkipParameters {
  return (rule.actionParameters ?? {}) as unknown as SkipParameters
}

export function skipOf(rule: Rule): SkipEffect {
  const { ruleset, phase, phases = [], products = [], rulesets = [] } = parametersOf(rule)
  return {
    kind: 'skip',
    current: ruleset === 'current' ? 'ruleset' : phase === 'current' ? 'phase' : undefined,
    phases: new Set(phases as readonly Phase[]),
    rulesets: new Set(rulesets),
    products: new Set(products),
    excepts: excepts(rule),
    logs: rule.logging?.enabled ?? true,
  }
}

/** Whether the rule makes exceptions from managed rulesets that still run. */
function excepts(rule: Rule): boolean {
  const { rules, targets } = parametersOf(rule)
  return rules !== undefined || targets !== undefined
}

/** A rule that makes exceptions from managed rulesets. */
export interface SkipRule {
  readonly rule: Rule
  readonly phase: Phase
}

/** Enabled rules only. */
export function exceptingRules({ rules, phase }: EvaluatedRuleset): readonly SkipRule[] {
  return rules
    .filter(rule => rule.action === 'skip' && rule.enabled && excepts(rule))
    .map(rule => ({ rule, phase }))
}

const nothing: ReadonlyMap<string, SkippedRules> = new Map()

/** The exceptions that the skip rules of one level make from one managed ruleset, by the id of the skip rule. */
export function exceptionsOf(
  managed: ManagedProgram,
  skips: readonly SkipRule[],
): ReadonlyMap<string, SkippedRules> {
  let exceptions: Map<string, SkippedRules> | undefined
  for (const skip of skips) {
    const skipped = skippedBy(skip, managed)
    if (skipped === undefined) continue
    exceptions ??= new Map()
    exceptions.set(skip.rule.id, skipped)
  }
  return exceptions ?? nothing
}

const shared = new SharedByProgram<Exception>()

function skippedBy({ rule, phase }: SkipRule, managed: ManagedProgram): SkippedRules | undefined {
  const { ruleset, program } = managed
  const parameters = parametersOf(rule)
  const off = parameters.rules?.[ruleset.id] ?? []
  const targets = (parameters.targets ?? []).filter(target =>
    target.ruleset === undefined ? ruleset.phase === phase : target.ruleset === ruleset.id,
  )
  if (off.length === 0 && targets.length === 0) return undefined
  const description = [ruleset.id, ruleset.version, off.toSorted(), targets as readonly unknown[]] as Json
  return {
    exception: shared.of(program, description, () => makeException(managed, new Set(off), targets)),
    lastRule: off.includes(verdictRuleOf(ruleset).id),
  }
}

/** Rules that the release no longer contains are ignored. */
function makeException(
  { ruleset, program }: ManagedProgram,
  off: ReadonlySet<string>,
  targets: readonly SkipTarget[],
): Exception {
  const ids = ruleIdsOf(program)
  const rules = rulesByIndex({ ruleset, program })
  return program.exception({
    off: ({ index }) => off.has(ids[index]!),
    targets: targets.map(target => {
      const { rule, tag, collection } = target
      const chosen = ({ index }: ProgramRule): boolean =>
        rule === undefined ? (rules[index]?.categories?.includes(tag!) ?? false) : ids[index] === rule
      return { rules: chosen, collection, ...keyOf(target) }
    }),
  })
}

function keyOf({ key, key_pattern: pattern, json_path: path }: SkipTarget): Pick<ExceptedTarget, 'key'> {
  if (pattern !== undefined) return { key: { kind: 'pattern', text: bytesOfText(pattern) } }
  const name = path === undefined ? key : jsonArgumentName(path)
  return name === undefined ? {} : { key: { kind: 'exact', text: bytesOfText(name) } }
}
