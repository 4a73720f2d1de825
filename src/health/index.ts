export { type CheckedOrigin, type HealthChecks, type OriginChange, startHealthChecks } from './checker.ts'
export { isExpectedCodes } from './expected-codes.ts'
