import type { Macro, MacroView, Template } from '../operators/index.ts'
import type { ProgramRule, RuleMatch } from '../types.ts'
import { isCaptureName, type PendingCaptures } from '../variables/tx-variables.ts'

/** `logdata` of a rule. */
export interface LogData {
  readonly template: Template
  /** Whether its only macros are captures, MATCHED_VAR and MATCHED_VAR_NAME, which the match contains. */
  readonly isOwn: boolean
  readonly readsCaptures: boolean
}

export function logDataOf(template: Template): LogData {
  const macros = template.filter(part => typeof part !== 'string')
  return {
    template,
    isOwn: macros.every(macro => isCapture(macro) || isOfMatch(macro)),
    readsCaptures: macros.some(isCapture),
  }
}

/** A match of a rule with its `msg` expanded. */
type Matched = Omit<RuleMatch, 'data'>

/**
 * A match for display. If possible, its `data` is computed when it is first read: from unread captures, and from the
 * match itself. Other macros are expanded now.
 * @param isOfValue whether the value of MATCHED_VAR matched
 * @param captures of the match, if they are not in TX yet
 */
export function recordedMatch(
  match: Matched,
  { template, isOwn, readsCaptures }: LogData,
  isOfValue: boolean,
  captures: PendingCaptures | undefined,
  view: MacroView,
): RuleMatch {
  const canWait = isOwn && isOfValue && (captures !== undefined || !readsCaptures)
  const parts = canWait
    ? template
    : template.map(part => {
        if (typeof part === 'string') return part
        return captures !== undefined && isCapture(part) ? part : view.expand(part)
      })
  return new RecordedMatch(match, parts, captures) as RecordedMatch & RuleMatch
}

class RecordedMatch implements Matched {
  readonly rule: ProgramRule
  readonly target: string
  readonly value: string
  readonly message: string
  /** Its macros are captures, or about the match. */
  readonly #parts: Template
  readonly #captures: PendingCaptures | undefined

  constructor(
    { rule, target, value, message }: Matched,
    parts: Template,
    captures: PendingCaptures | undefined,
  ) {
    this.rule = rule
    this.target = target
    this.value = value
    this.message = message
    this.#parts = parts
    this.#captures = captures
    Object.defineProperty(this, 'data', RecordedMatch.#data)
  }

  /**
   * An own property of each match, so that a copy has it too. All share one function: separate functions would give
   * each match its own hidden class, through which the garbage collector would retain the whole request for long.
   */
  static readonly #data: PropertyDescriptor & ThisType<RecordedMatch> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#parts.map(part => (typeof part === 'string' ? part : this.#textOf(part))).join('')
    },
  }

  #textOf(macro: Macro): string {
    if (isCapture(macro)) return this.#captures?.groups[Number(macro.key)] ?? ''
    return macro.collection === 'MATCHED_VAR' ? this.value : this.target
  }
}

function isCapture({ collection, key }: Macro): boolean {
  return collection === 'TX' && key !== undefined && isCaptureName(key)
}

function isOfMatch({ collection, key }: Macro): boolean {
  return key === undefined && (collection === 'MATCHED_VAR' || collection === 'MATCHED_VAR_NAME')
}
