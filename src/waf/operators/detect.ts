import { detectSqli, detectXss, sqliRequirements, xssRequirements } from '../detect/index.ts'
import { type OperatorFactory, ready } from './operator.ts'

/** SQL injection by the shape of its tokens; TX:0 is the fingerprint. */
export const detectSQLi: OperatorFactory = () =>
  ready(value => detectSqli(value) !== null, {
    groups: value => [detectSqli(value) ?? undefined],
    requirements: sqliRequirements,
  })

/** HTML that runs script; TX:0 is the value. */
export const detectXSS: OperatorFactory = () =>
  ready(detectXss, { groups: value => [value], requirements: xssRequirements })
