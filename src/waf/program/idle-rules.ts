import type { Effect } from '../actions/effect.ts'
import { literalOf, type Macro, macrosOf, type Template } from '../operators/index.ts'
import type { CompiledRule, CompiledTarget } from './compiled.ts'

/**
 * Rules of no consequence: they do nothing but set variables of TX, and no other rule of the set looks at these. Sets of
 * rules count things for rules of higher paranoia levels that are off in most zones.
 */
export function idleRules(rules: readonly CompiledRule[]): ReadonlySet<CompiledRule> {
  const idle = new Set(rules.filter(onlySetsVariables))
  for (let before = -1; before !== idle.size; ) {
    before = idle.size
    const readers = rules.filter(rule => !idle.has(rule)).flatMap(readsOf)
    for (const rule of idle) if (namesSetBy(rule).some(name => isRead(name, readers))) idle.delete(rule)
  }
  return idle
}

function onlySetsVariables({ info, logged, severityNumber, verdict, jump, links }: CompiledRule): boolean {
  if (info.role !== 'support' || logged || severityNumber !== 255) return false
  if (verdict.kind !== 'pass' || jump >= 0) return false
  return links.every(link => !link.capture && link.effects.every(effect => effect.sets !== undefined))
}

function namesSetBy({ links }: CompiledRule): Template[] {
  return links.flatMap(link => link.effects.map(effect => effect.sets!.name))
}

/** What a rule reads of TX: a name, a pattern of names, or all. */
type Read = { readonly name: string } | { readonly pattern: string } | 'all'

function readsOf(rule: CompiledRule): Read[] {
  const { links, message, verdict } = rule
  const macros: Macro[] = macrosOf(message)
  if (verdict.kind === 'redirect' && verdict.location !== undefined)
    macros.push(...macrosOf(verdict.location))
  for (const { operator, effects, data } of links) {
    macros.push(...(operator?.macros ?? []), ...effects.flatMap(macrosIn), ...macrosOf(data ?? []))
  }
  return [...macros.flatMap(readOfMacro), ...links.flatMap(link => link.targets.flatMap(readOfTarget))]
}

function macrosIn({ macros }: Effect): readonly Macro[] {
  return macros
}

function readOfMacro({ collection, key }: Macro): Read[] {
  if (collection !== 'TX') return []
  return [key === undefined ? 'all' : { name: key }]
}

function readOfTarget({ variable, key, pattern }: CompiledTarget): Read[] {
  if (variable.name !== 'TX') return []
  if (key !== undefined) return [{ name: key }]
  return [pattern === undefined ? 'all' : { pattern: pattern.source }]
}

/** @param name a literal, or a text that begins with what stands before its first macro */
function isRead(name: Template, reads: readonly Read[]): boolean {
  const literal = literalOf(name)
  const [first] = name
  const start = typeof first === 'string' ? first : ''
  return reads.some(read => {
    if (read === 'all') return true
    if ('name' in read) return literal === undefined ? read.name.startsWith(start) : read.name === literal
    const wanted = literalStart(read.pattern)
    return wanted.startsWith(start) || start.startsWith(wanted)
  })
}

/** What every name begins with that the pattern finds something in, in lower case; empty when nothing is sure. */
function literalStart(pattern: string): string {
  return /^\^([a-z0-9_]*)(?![?*{|])/i.exec(pattern)?.[1]?.toLowerCase() ?? ''
}
