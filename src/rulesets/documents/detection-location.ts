import { compileValue } from '../../expressions/index.ts'
import type { Checked } from '../../model/problem.ts'
import { httpScheme } from '../fields/http-scheme.ts'
import type { ListLookup } from '../plan/plan.ts'
import { expressionInvalid, invalidValue } from '../problems.ts'
import { checked, refuse } from '../reading.ts'

/**
 * Refuses a value expression of a detection location that does not parse, or that is no text. It sees what custom rules
 * see, without lists.
 * @param field `username` or `password`
 */
export function checkDetectionLocation(expression: string, field: string): Checked<void> {
  return checked(() => {
    const pointer = `/${field}`
    const noLists: ListLookup = () => undefined
    const context = { phase: 'http_request_firewall_custom', use: 'filter' } as const
    const outcome = compileValue(expression, httpScheme(context, noLists))
    if (!outcome.ok) return refuse(expressionInvalid(expression, outcome.text, pointer, field))
    if (outcome.type === 'String' || outcome.type === 'Bytes') return
    const reason = `its value must be a String and is of type ${outcome.type}`
    refuse(invalidValue(field, expression, reason, pointer))
  })
}
