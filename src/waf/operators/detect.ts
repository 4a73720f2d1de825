import {
  detectSqli,
  detectSqliInSlices,
  detectXss,
  detectXssInSlices,
  isSqli,
  isSqliInSlices,
  sqliRequirements,
  xssRequirements,
} from '../../detect/index.ts'
import { type OperatorFactory, ready } from './operator.ts'

/** Detects SQL injection; TX:0 is the fingerprint. */
export const detectSQLi: OperatorFactory = () =>
  ready(isSqli, {
    testInSlices: value => isSqliInSlices(value),
    groups: value => [detectSqli(value) ?? undefined],
    *groupsInSlices(value) {
      return [(yield* detectSqliInSlices(value)) ?? undefined]
    },
    requirements: sqliRequirements,
  })

/** Detects HTML that runs script; TX:0 is the value. */
export const detectXSS: OperatorFactory = () =>
  ready(detectXss, {
    testInSlices: value => detectXssInSlices(value),
    groups: value => [value],
    requirements: xssRequirements,
  })
