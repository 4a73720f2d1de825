import { MatchLimitError } from '../../regex/index.ts'
import { expandTemplate, type Macro, type MacroView, macrosOf, type Template } from '../operators/index.ts'
import { isSecret } from '../prefilter/secrets.ts'
import { lowercase } from '../transformations/case.ts'
import { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'
import { isCaptureName } from '../variables/tx-variables.ts'
import type { CompiledLink, CompiledRule, InertMatches } from './compiled.ts'
import { isPlainTx } from './tx-rules.ts'
import { TxUses } from './tx-uses.ts'
import { setsByName, UnreadVariables } from './unread-variables.ts'

/**
 * Values that the first link of a chain copies into TX in vain. Rule 920450 of the CRS, for one, copies the name of each
 * header, and its second link compares the copies with a list. A copy is inert if the second link does not match it and
 * no other rule can use its variable. Until the first copy that is not inert, such values set no variable. Results are kept while the second link's parameter stays the
 * same: few names of headers are new.
 */
export class InertValues implements InertMatches {
  readonly #copying: CompiledLink
  readonly #testing: CompiledLink
  readonly #uses: TxUses
  /** Expanded macros of the second link's parameter. */
  #parameter = ''
  readonly #known = new Map<string, boolean>()

  constructor(rule: CompiledRule, uses: TxUses) {
    this.#copying = rule.links[0]!
    this.#testing = rule.links[1]!
    this.#uses = uses
  }

  begin(view: MacroView): void {
    const { macros } = this.#testing.operator!
    const parameter =
      macros.length === 1 ? view.expand(macros[0]!) : macros.map(m => view.expand(m)).join('\0')
    if (parameter === this.#parameter) return
    this.#parameter = parameter
    this.#known.clear()
  }

  has(entry: Entry, variable: Variable, view: MacroView): boolean {
    return this.#known.get(entry.value) ?? this.#learn(entry, variable, view)
  }

  #learn(entry: Entry, variable: Variable, view: MacroView): boolean {
    if (entry.value.length > keptValueBytes || isSecret(variable, entry)) return false
    const isInert = this.#isInert(this.#copying.transform.valueOf(entry), view)
    if (this.#known.size >= valuesKept) this.#known.clear()
    this.#known.set(entry.value, isInert)
    return isInert
  }

  #isInert(value: string, view: MacroView): boolean {
    try {
      const groups = this.#copying.operator!.groups!(value, view)
      const captures: MacroView = { expand: ({ key }) => groups[Number(key)] ?? '', limitReached: () => {} }
      return this.#copying.effects.every(({ sets }) => {
        const name = lowercase(expandTemplate(sets!.name, captures))
        if (this.#uses.has(name, [this.#copying, this.#testing])) return false
        return !this.#matches(name, expandTemplate(sets!.text!, captures), view)
      })
    } catch (error) {
      if (error instanceof MatchLimitError) return false
      throw error
    }
  }

  /** Whether the second link matches a variable with that name. */
  #matches(name: string, text: string, view: MacroView): boolean {
    const { targets, transform, operator, negated } = this.#testing
    if (!targets.some(({ key, pattern }) => key === name || pattern?.test(name) === true)) return false
    return operator!.test(transform.valueOf(new Entry('', text)), view) !== negated
  }
}

/** Finds the rules whose values may be inert. @param rules all rules of the program */
export function markInertValues(rules: readonly CompiledRule[]): void {
  const uses = new TxUses(rules)
  for (const rule of rules) {
    if (copiesAndTests(rule)) rule.inertValues = new InertValues(rule, uses)
    else if (setsByName(rule)) rule.inertValues = new UnreadVariables(rule, uses)
  }
}

/** Whether the first link only copies parts of its values into TX, and the second only tests variables of TX. */
function copiesAndTests(rule: CompiledRule): boolean {
  const [copying, testing] = rule.links
  if (!rule.prefiltered || testing === undefined) return false
  return copies(copying!) && testsTx(testing) && !readsAllMatched(rule)
}

function copies({ operator, capture, negated, multiMatch, disturbs, effects }: CompiledLink): boolean {
  if (operator?.groups === undefined || !capture || negated || multiMatch !== undefined || disturbs)
    return false
  return (
    effects.length > 0 &&
    effects.every(
      ({ sets, macros }) =>
        sets?.text !== undefined && macros.every(isCapture) && namesText(sets.name, sets.text),
    )
  )
}

/** Whether one name has one text, or all values have one name: then leaving values out changes no order in TX. */
function namesText(name: Template, text: Template): boolean {
  const inName = new Set(macrosOf(name).map(({ key }) => key))
  return inName.size === 0 || macrosOf(text).every(({ key }) => inName.has(key))
}

/** Whether the chain shows each value that has matched, which includes the inert ones. */
function readsAllMatched({ links, message, data }: CompiledRule): boolean {
  const macros = [
    message,
    data.template,
    ...links.flatMap(link => [link.operator?.macros ?? [], ...link.effects.map(effect => effect.macros)]),
  ].flatMap(macrosOf)
  return (
    macros.some(({ collection }) => isAllMatched(collection)) ||
    links.some(({ targets }) => targets.some(({ variable }) => isAllMatched(variable.name)))
  )
}

function isAllMatched(name: string): boolean {
  return name === 'MATCHED_VARS' || name === 'MATCHED_VARS_NAMES'
}

function testsTx({ operator, multiMatch, targets }: CompiledLink): boolean {
  if (operator === undefined || multiMatch !== undefined) return false
  return (
    operator.macros.every(isPlainTx) &&
    targets.every(
      ({ variable, key, pattern, count }) =>
        variable.name === 'TX' && !count && (key !== undefined || pattern !== undefined),
    )
  )
}

function isCapture({ collection, key }: Macro): boolean {
  return collection === 'TX' && key !== undefined && isCaptureName(key)
}

const keptValueBytes = 64
const valuesKept = 1000
