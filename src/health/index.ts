export { isExpectedCodes } from './expected-codes.ts'
