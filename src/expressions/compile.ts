import { beginAllowance, endAllowance } from './evaluate/allowance.ts'
import { compileBool, compileOperand } from './evaluate/closures.ts'
import { compilePartialBool } from './evaluate/partial.ts'
import { expressionLimits } from './limits.ts'
import type { Expression } from './syntax/ast.ts'
import { caretText, diagnosticOf, ExpressionFault } from './syntax/fault.ts'
import { Lexer } from './syntax/lexer.ts'
import { parseFilter, parseValue } from './syntax/parser.ts'
import { printExpression } from './syntax/print.ts'
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
 * Compiles a filter expression of the rules language for contexts described by `scheme`.
 * @param text as a person wrote it; at most `expressionLimits.expressionCharactersMax` code points
 * @returns the predicate, or the fault as a diagnostic and in the caret form of Cloudflare's errors; never throws. The
 * predicate throws WorkExceededError if its patterns cost more on a text than `expressionLimits.matchWorkMax`
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
 * Compiles a filter expression for contexts that know only some fields. The `read` of the others throws
 * UnknownFieldError. A result that depends on them is reported as unknown, never guessed.
 */
export function compilePartial<C>(text: string, scheme: Scheme<C>): PartialOutcome<C> {
  return reading(text, lexer => {
    const { tree, fields } = parseFilter(lexer, scheme)
    return { ok: true, test: withAllowance(compilePartialBool(tree)), fields }
  })
}

/** The checked tree of a filter expression, for evaluation elsewhere. */
export function parse<C>(
  text: string,
  scheme: Scheme<C>,
): { readonly ok: true; readonly tree: Expression<C> } | Fault {
  return reading(text, lexer => ({ ok: true, tree: parseFilter(lexer, scheme).tree }))
}

/** Whether `compile` would accept the text; creates no closures. */
export function check<C>(text: string, scheme: Scheme<C>): CheckOutcome {
  return reading(text, lexer => {
    const { fields } = parseFilter(lexer, scheme)
    return { ok: true, fields }
  })
}

/**
 * Compiles a value expression: a field, an indexed field or a call, for one value (without `[*]` outside a call).
 * @returns its type and reader; the reader returns undefined for a missing value, and throws WorkExceededError like
 * predicates
 */
export function compileValue<C>(text: string, scheme: Scheme<C>): ValueOutcome<C> {
  return reading(text, lexer => {
    const { tree, fields } = parseValue(lexer, scheme)
    const read = withAllowance(compileOperand(tree))
    return { ok: true, type: typeNameOf(tree.type), read: context => asValue(read(context)), fields }
  })
}

/**
 * A filter expression in its canonical spelling: English operators, single blanks, quoted strings, and only the
 * parentheses that preserve the tree.
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

/** Callers get integers as numbers, beyond the safe range the nearest number. */
function asValue(cell: Cell): Value {
  return typeof cell === 'bigint' ? Number(cell) : (cell as Value)
}

/** Runs a reader of the text and turns a fault into the outcome. */
function reading<T>(text: string, read: (lexer: Lexer) => T): T | Fault {
  const tooLong = isTooLong(text)
  // The beginning of a too long text suffices for the message.
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

/** In characters of at most two UTF-16 units each. */
function isTooLong(text: string): boolean {
  const most = expressionLimits.expressionCharactersMax
  return text.length > 2 * most || (text.length > most && [...text].length > most)
}

function refuseLength(lexer: Lexer): never {
  const most = expressionLimits.expressionCharactersMax
  return lexer.fail('too-long', `expression exceeds the maximum of ${most} characters`, { start: 0, end: 0 })
}
