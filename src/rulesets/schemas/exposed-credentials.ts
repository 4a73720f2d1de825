import { Type } from 'typebox'
import { strict, valueExpression } from './parts.ts'
import { Shape } from './shape.ts'

/** `exposed_credential_check` of a rule. @source Cloudflare API, rulesets */
export const exposedCredentialsShape = new Shape(
  Type.Object({ username_expression: valueExpression, password_expression: valueExpression }, strict),
)
