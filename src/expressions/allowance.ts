import { expressionLimits } from '../kit/limits.ts'
import { boundWork } from '../regex/work.ts'

/**
 * What functions may still make while one expression is evaluated, in bytes. Evaluations do not overlap: they never wait.
 * Texts grow when they are joined or encoded again and again, and functions of each element multiply what they are given.
 */
let left = 0

/** An evaluation begins. */
export function beginAllowance(): void {
  left = expressionLimits.madeBytesMax
  boundWork(expressionLimits.matchWorkMax)
}

/** It has ended: others may match what they like. */
export function endAllowance(): void {
  boundWork(Infinity)
}

/** Asked before something large is made. */
export function allows(bytes: number): boolean {
  return bytes <= left
}

/** @returns false when too much has been made; then nothing more is */
export function pay(bytes: number): boolean {
  left -= bytes
  return left >= 0
}
