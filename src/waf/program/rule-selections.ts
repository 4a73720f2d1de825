import type { Span } from '../../seclang/ast.ts'
import type { RuleChoice } from '../actions/facts.ts'
import { inRanges } from '../actions/id-ranges.ts'
import type { ProgramRule } from '../types.ts'
import type { RuleSelection } from './compiled.ts'
import { searcher } from './patterns.ts'
import type { Problems } from './problems.ts'

/** The rules that `ctl` actions name. They may stand below the action, so they are looked up when all are known. */
export class RuleSelections {
  readonly #waiting: { readonly selection: Mutable; readonly chosen: (rule: ProgramRule) => boolean }[] = []
  readonly #problems: Problems

  constructor(problems: Problems) {
    this.#problems = problems
  }

  /** A selection that is filled by `resolve`. */
  add(choice: RuleChoice, span: Span): RuleSelection {
    const selection: Mutable = { member: new Uint8Array(0), concernsTx: false }
    this.#waiting.push({ selection, chosen: this.#test(choice, span) })
    return selection
  }

  resolve(rules: readonly ProgramRule[]): void {
    for (const { selection, chosen } of this.#waiting) {
      selection.member = Uint8Array.from(rules, rule => (chosen(rule) ? 1 : 0))
      selection.concernsTx = rules.some(rule => rule.role === 'support' && chosen(rule))
    }
  }

  #test(choice: RuleChoice, span: Span): (rule: ProgramRule) => boolean {
    if (choice.by === 'id') return rule => inRanges(rule.id, choice.ranges)
    const found = searcher(choice.pattern, span, this.#problems)
    return choice.by === 'tag' ? rule => rule.tags.some(found) : rule => found(rule.message)
  }
}

interface Mutable {
  member: Uint8Array
  concernsTx: boolean
}
