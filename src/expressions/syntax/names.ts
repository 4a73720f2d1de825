import { nearest } from '../../kit/nearest.ts'
import { absentFunctions, functions } from '../functions/table.ts'
import type { Scheme } from '../types.ts'
import type { Lexer, Span } from './lexer.ts'

/** Fails for a name that is not allowed: gives the reason if the name exists, else the nearest known name. */
export function failUnknown<C>(lexer: Lexer, name: string, scheme: Scheme<C>, span: Span): never {
  const reason = scheme.unavailable?.(name) ?? absentFunctions.get(name)
  if (reason !== undefined) return lexer.fail('unavailable', 'unknown identifier', span, reason)
  const known = [...scheme.fields.keys(), ...(scheme.functions ?? functions.keys())]
  const close = nearest(name, known)
  const hint = close === undefined ? undefined : `did you mean ${close}?`
  return lexer.fail('unknown-identifier', 'unknown identifier', span, hint)
}
