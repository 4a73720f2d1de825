import { ApiFailure } from '../../api/failure.ts'

/**
 * API messages about one part of the body, for the `errors` of an `ExpressionField`.
 * @param pointer of the expression in the body, such as `/expression` or `/rules/3/expression`
 */
export function messagesAt(error: unknown, pointer: string): readonly string[] {
  if (!(error instanceof ApiFailure)) return []
  return error.entries.filter(({ source }) => source?.pointer === pointer).map(({ message }) => message)
}
