import { rulesetLimits } from '../kit/limits.ts'
import { beginAllowance, endAllowance } from './allowance.ts'
import { compileBool, compileOperand } from './closures.ts'
import { caretText, diagnosticOf, ExpressionFault } from './fault.ts'
import { Lexer } from './lexer.ts'
import { parseFilter, parseValue } from './parser.ts'
import { compilePartialBool } from './partial.ts'
import { printExpression } from './print.ts'
import type {
  CheckOutcome,
  CompileOutcome,
  Fault,
  FormatOutcome,
  PartialOutcome,
  Scheme,
  Value,
  ValueOutcome,
} from './types.ts'
import { type Cell, typeNameOf } from './value-type.ts'

/**
 * Compiles a filter expression of the rules language for contexts that `scheme` describes.
 * @param text as a person wrote it; at most `rulesetLimits.expressionCharactersMax` code points
 * @returns the predicate, or the fault as a diagnostic and in the caret form of Cloudflare's errors; never throws. The
 *   predicate throws WorkExceededError when its patterns cost more on a text than `expressionLimits.matchWorkMax`
 * @source rules-language reference: grammar, operators, missing values
 */
export function compile<C>(text: string, scheme: Scheme<C>): CompileOutcome<C> {
  return reading(text, lexer => {
    const { tree, fields, works } = parseFilter(lexer, scheme)
    const test = compileBool(tree)
    return { ok: true, test: works ? withAllowance(test) : test, fields }
  })
}

/**
 * Compiles a filter expression for contexts that know some fields only: the `read` of the others throws
 * UnknownFieldError. What cannot be known for that reason is told, never guessed.
 */
export function compilePartial<C>(text: string, scheme: Scheme<C>): PartialOutcome<C> {
  return reading(text, lexer => {
    const { tree, fields } = parseFilter(lexer, scheme)
    return { ok: true, test: withAllowance(compilePartialBool(tree)), fields }
  })
}

/** Whether `compile` would take the text; makes no closures. */
export function check<C>(text: string, scheme: Scheme<C>): CheckOutcome {
  return reading(text, lexer => {
    parseFilter(lexer, scheme)
    return { ok: true }
  })
}

/**
 * Compiles a value expression: a field, an indexed field or a call, which stand for one value (no `[*]` of their own).
 * @returns its type and reader; the reader gives undefined when the value is missing, and throws WorkExceededError as
 *   predicates do
 */
export function compileValue<C>(text: string, scheme: Scheme<C>): ValueOutcome<C> {
  return reading(text, lexer => {
    const { tree, fields } = parseValue(lexer, scheme)
    const read = withAllowance(compileOperand(tree))
    return { ok: true, type: typeNameOf(tree.type), read: context => asValue(read(context)), fields }
  })
}

/**
 * A filter expression in its canonical spelling: English operators, single blanks, quoted strings, only the parentheses
 * that are needed to read the same tree again.
 */
export function format<C>(text: string, scheme: Scheme<C>): FormatOutcome {
  return reading(text, lexer => ({ ok: true, text: printExpression(parseFilter(lexer, scheme).tree) }))
}

function withAllowance<C, T>(evaluate: (context: C) => T): (context: C) => T {
  return context => {
    beginAllowance()
    try {
      return evaluate(context)
    } finally {
      endAllowance()
    }
  }
}

/** Integers are numbers to everybody else, beyond the safe ones the nearest. */
function asValue(cell: Cell): Value {
  return typeof cell === 'bigint' ? Number(cell) : (cell as Value)
}

/** Runs a reading of the text; what stops it becomes the outcome. */
function reading<T>(text: string, read: (lexer: Lexer) => T): T | Fault {
  const tooLong = isTooLong(text)
  // Whoever is told that a text is too long need not read it whole once more.
  const lexer = new Lexer(tooLong ? `${text.slice(0, tooLongShown)}…` : text)
  try {
    if (tooLong) refuseLength(lexer)
    return read(lexer)
  } catch (fault) {
    if (!(fault instanceof ExpressionFault)) throw fault
    return { ok: false, diagnostic: diagnosticOf(lexer.bytes, fault), text: caretText(lexer.bytes, fault) }
  }
}

const tooLongShown = 100

/** In characters, of which each has at most two UTF-16 units. */
function isTooLong(text: string): boolean {
  const most = rulesetLimits.expressionCharactersMax
  return text.length > 2 * most || (text.length > most && [...text].length > most)
}

function refuseLength(lexer: Lexer): never {
  const most = rulesetLimits.expressionCharactersMax
  return lexer.fail('too-long', `expression exceeds the maximum of ${most} characters`, { start: 0, end: 0 })
}
