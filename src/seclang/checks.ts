import type { Action, Span } from './ast.ts'
import { type NameTable, nameTable } from './name-table.ts'
import type { Report } from './report.ts'
import { actions as actionTable } from './vocabulary.ts'

const phaseNames: NameTable<number> = nameTable({ request: 2, response: 4, logging: 5 })

/**
 * The phase named by the value of a `phase` action: 1 to 5, or `request` (2), `response` (4), `logging` (5).
 * @returns undefined for any other text
 */
export function phaseNumber(value: string): 1 | 2 | 3 | 4 | 5 | undefined {
  const number = /^[1-5]$/.test(value) ? Number(value) : phaseNames.find(value)?.entry
  return number as 1 | 2 | 3 | 4 | 5 | undefined
}

/** Checks rules one by one, and all rules of a load against each other. */
export class RuleChecks {
  readonly #report: Report
  readonly #idSpans = new Map<number, Span>()

  constructor(report: Report) {
    this.#report = report
  }

  /** A SecRule that is no link, or a SecAction. */
  head(actions: readonly Action[], span: Span): void {
    this.#phase(actions)
    const id = actions.find(action => action.name === 'id')
    if (id?.value === undefined) {
      this.#report.add('missing-id', span, 'the rule has no id', 'add id:NUMBER to its actions')
      return
    }
    const number = /^[0-9]{1,10}$/.test(id.value) ? Number(id.value) : 0
    if (number < 1 || number > 0x7fffffff) {
      this.#report.add('invalid-id', id.span, `the id ${id.value} is not a number from 1 to 2147483647`)
      return
    }
    const other = this.#idSpans.get(number)
    if (other === undefined) this.#idSpans.set(number, id.span)
    else {
      const hint = `the first one is at ${other.source}:${other.line}`
      this.#report.add('duplicate-id', id.span, `another rule has the id ${number} already`, hint)
    }
  }

  /** A SecRule that follows a `chain`. Source: ModSecurity 2, which refuses the same. */
  link(actions: readonly Action[]): void {
    for (const action of actions) {
      const belongsToHead =
        action.name === 'id' || action.name === 'phase' || actionTable.find(action.name)?.entry.disruptive
      if (!belongsToHead) continue
      const message = `${action.name} cannot stand in a link of a chain`
      this.#report.add('misplaced-action', action.span, message, 'move it to the first rule of the chain')
    }
  }

  /** SecDefaultAction: it names its phase. */
  defaults(actions: readonly Action[], span: Span): void {
    this.#phase(actions)
    if (actions.some(action => action.name === 'phase')) return
    this.#report.add(
      'missing-phase',
      span,
      'SecDefaultAction must say for which phase it is',
      'add phase:1 to phase:5',
    )
  }

  #phase(actions: readonly Action[]): void {
    for (const { name, value, span } of actions) {
      if (name !== 'phase' || value === undefined || phaseNumber(value) !== undefined) continue
      const hint = phaseNames.hint(value) ?? 'phases are 1 to 5'
      this.#report.add('invalid-phase', span, `there is no phase ${value}`, hint)
    }
  }
}
