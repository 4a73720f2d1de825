import type { Effect } from '../actions/effect.ts'
import { literalOf, type Macro, macrosOf, type Template } from '../operators/index.ts'
import { isCaptureName } from '../variables/tx-variables.ts'
import type { CompiledLink, CompiledRule, CompiledTarget } from './compiled.ts'
import { addRule, hasRule, newRuleBits, type RuleBits } from './rule-bits.ts'

/** Whether the link depends only on variables of TX that it names. Captures change too often to count. */
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

/** Marks the rules that `FoldedRun` may run, and the links with effects that change a variable of such rules. */
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

/**
 * The variables of TX that rules change which are not folded (scores, in the CRS), and the rules that depend on them.
 */
export interface Volatile {
  /** Variables that such rules set, and variables that depend on these. In lower case. */
  readonly names: readonly string[]
  /** Rules that only read TX and use one of these, and rules that such a rule may skip. */
  readonly rules: RuleBits
}

/** @param rules after `markTxRules` */
export function volatileOf(rules: readonly CompiledRule[]): Volatile {
  const used = namesUsed(rules)
  const names = new Set<string>()
  for (const { foldable, links } of rules) {
    if (foldable) continue
    for (const { sets } of links.flatMap(link => link.effects)) {
      const name = sets === undefined ? undefined : literalOf(sets.name)
      if (name !== undefined && used.has(name)) names.add(name)
    }
  }
  const volatile = newRuleBits(rules.length)
  const left = new Map(
    rules.filter(({ links }) => readsOnlyTx(links[0]!)).map(rule => [rule, namesUsed([rule])]),
  )
  const skipped = newRuleBits(rules.length)
  for (let more = true; more; ) {
    more = false
    for (const [rule, uses] of left) {
      const { index } = rule.info
      if (!hasRule(skipped, index) && ![...uses].some(name => names.has(name))) continue
      more = true
      left.delete(rule)
      addRule(volatile, index)
      if (rule.foldable) for (const name of namesSetBy(rule)) names.add(name)
      for (let behind = index + 1; behind < rule.jump; behind++) addRule(skipped, behind)
    }
  }
  return { names: [...names], rules: volatile }
}

/** Names in lower case, for a foldable rule. */
export function namesSetBy(rule: CompiledRule): string[] {
  return rule.links.flatMap(link => link.effects.map(effect => literalOf(effect.sets!.name)!))
}

/** Whether the whole rule depends only on TX, and only sets variables of TX and skips rules. */
function isFoldable(rule: CompiledRule): boolean {
  if (rule.verdict.kind !== 'pass' || rule.logged || rule.severityNumber !== 255) return false
  return rule.links.every(link => readsOnlyTx(link) && !link.capture && link.effects.every(setsPlainTx))
}

/** Whether the target lists variables of TX. Their order shows which was set first, in this request or ahead of it. */
function listsNames({ variable, key, count }: CompiledTarget): boolean {
  return variable.name === 'TX' && key === undefined && !count
}

/** Whether the rule reads the match of an earlier rule. Macros are searched in its text: too many do no harm. */
export function readsLastMatch({ links, info }: CompiledRule): boolean {
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

/** A variable of TX other than a capture. */
export function isPlainTx({ collection, key }: Macro): boolean {
  return collection === 'TX' && key !== undefined && !isCaptureName(key)
}

/** Whether the template can become one of the names. Only the text before its first macro is considered. */
function mayName(name: Template, names: ReadonlySet<string>): boolean {
  const literal = literalOf(name)
  if (literal !== undefined) return names.has(literal)
  const [first] = name
  const start = typeof first === 'string' ? first : ''
  return macrosOf(name).length > 0 && [...names].some(known => known.startsWith(start))
}
