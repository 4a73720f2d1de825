import { compile } from '../../expressions/index.ts'
import type { Checked } from '../../model/problem.ts'
import { namesBody } from '../fields/body-fields.ts'
import { balancerContext } from '../fields/expression-context.ts'
import { httpScheme } from '../fields/http-scheme.ts'
import { expressionInvalid } from '../problems.ts'
import { checked, refuse } from '../reading.ts'

/**
 * Refuses the condition of a load balancer's rule that does not parse, or that needs the body of a request.
 * @param pointer of the condition
 */
export function checkCondition(condition: string, pointer: string): Checked<void> {
  return checked(() => {
    if (condition === '') return
    const outcome = compile(
      condition,
      httpScheme(balancerContext, () => undefined),
    )
    if (!outcome.ok) refuse(expressionInvalid(condition, outcome.text, pointer, 'condition'))
    if (namesBody(outcome.fields))
      refuse(
        expressionInvalid(condition, 'the body of a request is not available here', pointer, 'condition'),
      )
  })
}
