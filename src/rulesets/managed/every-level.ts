import type { RuleMask } from '../../waf/types.ts'
import type { EveryLevel, ManagedProgram } from '../plan/plan.ts'
import { type CategoryOverride, type Overrides, rulesByIndex, settingOf } from './overrides.ts'

const levels = [1, 2, 3, 4] as const

/**
 * The same overrides with another paranoia level, written as the dashboard deploys a level: disabled levels come
 * last, so that they take precedence over enabled tags; enabled levels come first.
 * @param level 1–4
 */
export function overridesAtLevel(overrides: Overrides, level: number): Overrides {
  let categories = overrides.categories ?? []
  const byDefault = overrides.enabled ?? true
  for (const one of levels) {
    const category = `paranoia-level-${one}`
    const enabled = one <= level
    const own = categories.findLast(entry => entry.category === category && entry.enabled !== undefined)
    if ((own?.enabled ?? byDefault) === enabled) continue
    const rest = categories.flatMap(entry => (entry.category === category ? withoutEnabled(entry) : [entry]))
    if (enabled === byDefault) categories = rest
    else categories = enabled ? [{ category, enabled }, ...rest] : [...rest, { category, enabled }]
  }
  return { ...overrides, categories }
}

function withoutEnabled({ enabled: _, ...rest }: CategoryOverride): readonly CategoryOverride[] {
  return rest.action === undefined ? [] : [rest]
}

/** The rules that an execution with these overrides would run at each level. Computed on first use. */
export function everyLevelOf(managed: ManagedProgram, overrides: Overrides, own: RuleMask): EveryLevel {
  let made: Pick<EveryLevel, 'mask' | 'levels' | 'isOwn'> | undefined
  const make = () => {
    made ??= makeEveryLevel(managed, overrides, own)
    return made
  }
  return {
    get mask() {
      return make().mask
    },
    get levels() {
      return make().levels
    },
    get isOwn() {
      return make().isOwn
    },
  }
}

function makeEveryLevel(managed: ManagedProgram, overrides: Overrides, own: RuleMask): EveryLevel {
  const { program } = managed
  const rules = rulesByIndex(managed)
  const lowest = new Uint8Array(program.rules.length)
  for (const level of levels.toReversed()) {
    const setting = settingOf(overridesAtLevel(overrides, level))
    for (const [index, rule] of rules.entries())
      if (rule !== undefined && (setting(rule, 'enabled') ?? rule.enabled)) lowest[index] = level
  }
  const isOwn = program.rules.every(
    ({ role, index }) => role === 'support' || (lowest[index] === 0) === (own.enabled[index] === 0),
  )
  const mask = isOwn ? own : program.mask(({ role, index }) => role !== 'support' && lowest[index] === 0)
  return { mask, levels: lowest, isOwn }
}
