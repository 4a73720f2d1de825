import type { Effect } from '../actions/effect.ts'
import { literalOf, type Macro, macrosOf, type Template } from '../operators/index.ts'
import { isCaptureName } from '../variables/tx-variables.ts'
import type { CompiledLink, CompiledRule } from './compiled.ts'

/** Does the link depend on nothing but variables of TX that it names? Captures come and go too often to count. */
export function readsOnlyTx(link: CompiledLink): boolean {
  if (!(link.operator?.macros ?? []).every(isPlainTx)) return false
  return link.targets.every(
    ({ variable, key, pattern, exclusions }) =>
      variable.name === 'TX' &&
      key !== undefined &&
      !isCaptureName(key) &&
      pattern === undefined &&
      exclusions.length === 0,
  )
}

/** Does the whole rule depend on TX only, and do nothing but set variables of TX and skip rules? */
export function isFoldable(rule: CompiledRule): boolean {
  if (rule.verdict.kind !== 'pass' || rule.logged || rule.severityNumber !== 255) return false
  return rule.links.every(link => readsOnlyTx(link) && !link.capture && link.effects.every(setsPlainTx))
}

/** Marks the links whose effects change a variable that rules which only look at TX use. */
export function markDisturbances(rules: readonly CompiledRule[]): void {
  const used = namesUsed(rules)
  for (const { links } of rules) {
    for (const link of links) {
      link.disturbs = link.effects.some(({ sets }) => sets !== undefined && mayName(sets.name, used))
    }
  }
}

function namesUsed(rules: readonly CompiledRule[]): ReadonlySet<string> {
  const used = new Set<string>()
  for (const rule of rules) {
    if (!readsOnlyTx(rule.links[0]!)) continue
    const links = isFoldable(rule) ? rule.links : rule.links.slice(0, 1)
    for (const link of links) addNames(link, used)
    if (!isFoldable(rule)) continue
    for (const { sets } of rule.links.flatMap(link => link.effects)) {
      used.add(literalOf(sets!.name)!)
      for (const macro of sets!.macros) used.add(macro.key!)
    }
  }
  return used
}

function addNames(link: CompiledLink, used: Set<string>): void {
  for (const { key } of link.targets) used.add(key!)
  for (const { key } of link.operator?.macros ?? []) used.add(key!)
}

function setsPlainTx({ sets }: Effect): boolean {
  return sets !== undefined && literalOf(sets.name) !== undefined && sets.macros.every(isPlainTx)
}

function isPlainTx({ collection, key }: Macro): boolean {
  return collection === 'TX' && key !== undefined && !isCaptureName(key)
}

/** Can the template become one of the names? Only what stands before its first macro is looked at. */
function mayName(name: Template, names: ReadonlySet<string>): boolean {
  const literal = literalOf(name)
  if (literal !== undefined) return names.has(literal)
  const [first] = name
  const start = typeof first === 'string' ? first : ''
  return macrosOf(name).length > 0 && [...names].some(known => known.startsWith(start))
}
