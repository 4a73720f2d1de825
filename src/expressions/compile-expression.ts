import { rulesetLimits } from '../kit/limits.ts'
import { compileBool } from './compile.ts'
import { caretText, diagnosticOf, ExpressionFault } from './fault.ts'
import { Lexer } from './lexer.ts'
import { parseFilter } from './parser.ts'
import type { CompileOutcome, Scheme } from './types.ts'

/**
 * Compiles a filter expression of the rules language for contexts that `scheme` describes.
 * @param text as a person wrote it; at most `rulesetLimits.expressionCharactersMax` code points
 * @returns the predicate, or the fault as a diagnostic and in the caret form of Cloudflare's errors; never throws
 * @source rules-language reference: grammar, operators, missing values
 */
export function compileExpression<C>(text: string, scheme: Scheme<C>): CompileOutcome<C> {
  const lexer = new Lexer(text)
  try {
    requireLength(text, lexer)
    return { ok: true, test: compileBool(parseFilter(lexer, scheme)) }
  } catch (fault) {
    if (!(fault instanceof ExpressionFault)) throw fault
    return { ok: false, diagnostic: diagnosticOf(lexer.bytes, fault), text: caretText(lexer.bytes, fault) }
  }
}

function requireLength(text: string, lexer: Lexer): void {
  const most = rulesetLimits.expressionCharactersMax
  if (text.length <= most || [...text].length <= most) return
  lexer.fail('too-long', `expression exceeds the maximum of ${most} characters`, { start: 0, end: 0 })
}
