import { nearest } from '../kit/nearest.ts'
import { absentFunctions, functions } from './functions/table.ts'
import type { Lexer, Span } from './lexer.ts'
import type { Scheme } from './types.ts'

/** Fails for a name that may not be used: it says why when the name exists, else which one may have been meant. */
export function failUnknown<C>(lexer: Lexer, name: string, scheme: Scheme<C>, span: Span): never {
  const reason = scheme.unavailable?.(name) ?? absentFunctions.get(name)
  if (reason !== undefined) return lexer.fail('unavailable', 'unknown identifier', span, reason)
  const known = [...scheme.fields.keys(), ...(scheme.functions ?? functions.keys())]
  const close = nearest(name, known)
  const hint = close === undefined ? undefined : `did you mean ${close}?`
  return lexer.fail('unknown-identifier', 'unknown identifier', span, hint)
}
