import type { Effect } from '../actions/effect.ts'
import { literalOf, type Macro, macrosOf, type Template } from '../operators/index.ts'
import { isCaptureName } from '../variables/tx-variables.ts'
import type { CompiledLink, CompiledRule, CompiledTarget } from './compiled.ts'

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

/** Marks the rules that `CleanRun` may run, and the links whose effects change a variable that rules of its kind use. */
export function markTxRules(rules: readonly CompiledRule[]): void {
  const listed = rules.flatMap(({ links }) => links.flatMap(({ targets }) => targets.filter(listsNames)))
  const matchesCount = rules.some(readsLastMatch)
  for (const rule of rules) {
    rule.foldable =
      isFoldable(rule) &&
      !namesSetBy(rule).some(name => listed.some(({ pattern }) => pattern?.test(name) !== false)) &&
      !(matchesCount && rule.links.some(link => link.operator !== undefined))
  }
  const used = namesUsed(rules)
  for (const { links } of rules) {
    for (const link of links) {
      link.disturbs = link.effects.some(({ sets }) => sets !== undefined && mayName(sets.name, used))
    }
  }
}

/** In lower case; of a foldable rule. */
export function namesSetBy(rule: CompiledRule): string[] {
  return rule.links.flatMap(link => link.effects.map(effect => literalOf(effect.sets!.name)!))
}

/** Does the whole rule depend on TX only, and do nothing but set variables of TX and skip rules? */
function isFoldable(rule: CompiledRule): boolean {
  if (rule.verdict.kind !== 'pass' || rule.logged || rule.severityNumber !== 255) return false
  return rule.links.every(link => readsOnlyTx(link) && !link.capture && link.effects.every(setsPlainTx))
}

/** Does the target go through variables of TX? Their order tells which was set first, in this request or ahead of it. */
function listsNames({ variable, key, count }: CompiledTarget): boolean {
  return variable.name === 'TX' && key === undefined && !count
}

/** Does the rule look at the match of a rule before it? Macros are looked for in its text: too many do no harm. */
function readsLastMatch({ links, info }: CompiledRule): boolean {
  const { operator, targets } = links[0]!
  if (operator === undefined) return /matched_var/i.test(info.text + info.message)
  return [
    ...targets.map(({ variable }) => variable.name),
    ...operator.macros.map(macro => macro.collection),
  ].some(name => name === 'MATCHED_VAR' || name === 'MATCHED_VAR_NAME')
}

function namesUsed(rules: readonly CompiledRule[]): ReadonlySet<string> {
  const used = new Set<string>()
  for (const rule of rules) {
    if (!readsOnlyTx(rule.links[0]!)) continue
    const links = rule.foldable ? rule.links : rule.links.slice(0, 1)
    for (const link of links) addNames(link, used)
    if (!rule.foldable) continue
    for (const { sets, macros } of rule.links.flatMap(link => link.effects)) {
      used.add(literalOf(sets!.name)!)
      for (const macro of macros) used.add(macro.key!)
    }
  }
  return used
}

function addNames(link: CompiledLink, used: Set<string>): void {
  for (const { key } of link.targets) used.add(key!)
  for (const { key } of link.operator?.macros ?? []) used.add(key!)
}

function setsPlainTx({ sets, macros }: Effect): boolean {
  const name = sets === undefined ? undefined : literalOf(sets.name)
  return name !== undefined && !isCaptureName(name) && macros.every(isPlainTx)
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
