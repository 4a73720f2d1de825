import { detectSqli, detectXss } from '../detect/index.ts'
import { type OperatorFactory, ready } from './operator.ts'

/** SQL injection by the shape of its tokens; TX:0 is the fingerprint. */
export const detectSQLi: OperatorFactory = () =>
  ready((value, view) => {
    const fingerprint = detectSqli(value)
    if (fingerprint === null) return false
    view.captures?.replace([fingerprint])
    return true
  })

/** HTML that runs script; TX:0 is the value. */
export const detectXSS: OperatorFactory = () =>
  ready((value, view) => {
    if (!detectXss(value)) return false
    view.captures?.replace([value])
    return true
  })
