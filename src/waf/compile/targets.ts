import type { Matcher } from '../../regex/matcher.ts'
import type { Selector, Span, VariableSelector } from '../../seclang/ast.ts'
import type { CompiledTarget } from '../program/compiled.ts'
import type { Exclusion } from '../program/selections.ts'
import { lowercase } from '../transformations/case.ts'
import { variables } from '../variables/table.ts'
import type { Patterns } from './patterns.ts'

/** Numbers the selections of a program's targets. */
export class SelectionNumbers {
  readonly #numbers = new Map<string, number>()

  /** @param exclusions those for the same variable */
  of(selection: Selection, exclusions: readonly Exclusion[]): number {
    if (selection.variable.freshness === 'always') return -1
    const text = JSON.stringify([selection, ...exclusions].map(asText))
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }
}

function asText({ variable, key, pattern }: Selection): readonly unknown[] {
  return [variable.freshness, variable.slot, key, pattern?.source]
}

/** The targets of a link: selected variables, each with its exclusions. The order of exclusions does not matter. */
export function compileTargets(
  selectors: readonly VariableSelector[],
  numbers: SelectionNumbers,
  patterns: Patterns,
): CompiledTarget[] {
  const exclusions: Exclusion[] = []
  for (const selector of selectors) {
    if (!selector.exclude) continue
    const exclusion = compileSelection(selector.name, selector.selector, selector.span, patterns)
    if (exclusion !== undefined) exclusions.push(exclusion)
  }
  const targets: CompiledTarget[] = []
  for (const selector of selectors) {
    if (selector.exclude) continue
    const selection = compileSelection(selector.name, selector.selector, selector.span, patterns)
    if (selection === undefined) continue
    const concerning = exclusions.filter(exclusion => exclusion.variable === selection.variable)
    if (!selector.count && concerning.some(isWhole)) continue
    const exclusionsHere = selector.count ? [] : concerning
    targets.push({
      ...selection,
      count: selector.count,
      exclusions: exclusionsHere,
      selection: numbers.of(selection, exclusionsHere),
      countName: `&${selector.name}${keyText(selector.selector)}`,
    })
  }
  return targets
}

/** A target as written in `ctl:ruleRemoveTargetById`: `ARGS`, `ARGS:q`, `ARGS:/re/`, `XML://@*`. */
export function compileExclusion(text: string, span: Span, patterns: Patterns): Exclusion | undefined {
  const colon = text.indexOf(':')
  const name = (colon < 0 ? text : text.slice(0, colon)).trim().toUpperCase()
  return compileSelection(name, selectorOf(name, colon < 0 ? '' : text.slice(colon + 1)), span, patterns)
}

type Selection = Pick<CompiledTarget, 'variable' | 'key' | 'pattern'>

function compileSelection(
  name: string,
  selector: Selector,
  span: Span,
  patterns: Patterns,
): Selection | undefined {
  const variable = variables.get(name === 'XML' ? `XML:${xpathOf(selector)}` : name)
  if (variable === undefined) {
    const message =
      name === 'XML'
        ? `the XPath ${xpathOf(selector)} is not supported: only /* and //@* are`
        : `the variable ${name} is not supported here`
    patterns.problems.add(name === 'XML' ? 'unsupported-xpath' : 'unsupported-variable', span, message)
    return undefined
  }
  let pattern: Matcher | undefined
  if (selector.kind === 'regex') {
    pattern = patterns.of(selector.pattern, true, span)
    if (pattern === undefined) return undefined
  }
  return { variable, key: selector.kind === 'key' ? lowercase(selector.key) : undefined, pattern }
}

function selectorOf(name: string, text: string): Selector {
  if (text === '') return { kind: 'all' }
  if (name === 'XML') return { kind: 'xpath', path: text }
  const isPattern = text.length >= 2 && text.startsWith('/') && text.endsWith('/')
  return isPattern ? { kind: 'regex', pattern: text.slice(1, -1) } : { kind: 'key', key: text }
}

/** `XML` alone means the text of the document. */
function xpathOf(selector: Selector): string {
  return selector.kind === 'xpath' ? selector.path : '/*'
}

function isWhole(exclusion: Exclusion): boolean {
  return exclusion.key === undefined && exclusion.pattern === undefined
}

function keyText(selector: Selector): string {
  if (selector.kind === 'key') return `:${selector.key}`
  if (selector.kind === 'xpath') return `:${selector.path}`
  return selector.kind === 'regex' ? `:/${selector.pattern}/` : ''
}
