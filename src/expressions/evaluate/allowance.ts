import { boundWork, WorkExceededError } from '../../regex/work.ts'
import { expressionLimits } from '../limits.ts'

/**
 * The bytes that functions may still produce while one expression is evaluated. Evaluations do not overlap, because
 * they never wait. Repeated joining or encoding makes texts grow, and functions of each element multiply their input.
 */
let left = 0

/** Begins an evaluation. */
export function beginAllowance(): void {
  left = expressionLimits.madeBytesMax
  boundWork(expressionLimits.matchWorkMax)
}

/** Ends an evaluation: matching outside of it has no bound from it. */
export function endAllowance(): void {
  boundWork(Infinity)
}

/** Called before something large is produced. @throws WorkExceededError */
export function requireAllowance(bytes: number): void {
  if (bytes > left)
    throw new WorkExceededError('the functions of an expression make too much of this request')
}

/** Called after something was produced, with its size. @throws WorkExceededError */
export function pay(bytes: number): void {
  requireAllowance(bytes)
  left -= bytes
}
