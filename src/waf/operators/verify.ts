import { isDigit } from '../../kit/ascii.ts'
import { compileRegex, MatchLimitError } from '../../regex/index.ts'
import { wafLimits } from '../limits.ts'
import { type OperatorFactory, ready, refused } from './operator.ts'

/** A match of the pattern passes the Luhn check (ISO/IEC 7812-1); other characters in it do not count. */
export const verifyCC: OperatorFactory = parameter => verifying(parameter, isCardNumber)

/** A match of the pattern can be a US social security number: nine digits, areas as issued before 2011. */
export const verifySSN: OperatorFactory = parameter => verifying(parameter, isSocialSecurityNumber)

/**
 * Searches again from the byte after the start of each failed match, because a longer run may hide a number. Restarts
 * are paid from a budget of bytes (MatchLimitError at its end). TX:0 is the match.
 */
function verifying(pattern: string, passes: (digits: readonly number[]) => boolean) {
  const compiled = compileRegex(pattern, { dialect: 'pcre' })
  if (!compiled.ok) return refused(compiled.error.message, compiled.error.offset, compiled.error.length)
  const { matcher } = compiled
  const find = (value: string): string | undefined => {
    let budget = wafLimits.verifyBytesMax
    for (let from = 0; from <= value.length; ) {
      if (budget <= 0) throw new MatchLimitError()
      const found = matcher.exec(value, from)
      if (found === null) return undefined
      const [start, end] = found as unknown as [number, number]
      if (passes(digitsIn(value, start, end))) return value.slice(start, end)
      budget -= value.length - from + 1
      from = start + 1
    }
    return undefined
  }
  return ready(value => find(value) !== undefined, {
    groups: value => [find(value)],
    requirements: matcher.requirements,
  })
}

/** One digit more than the longest number. */
function digitsIn(value: string, start: number, end: number): number[] {
  const digits: number[] = []
  for (let i = start; i < end && digits.length <= LONGEST_CARD; i++) {
    if (isDigit(value.charCodeAt(i))) digits.push(value.charCodeAt(i) - 0x30)
  }
  return digits
}

/** Longest card number. */
const LONGEST_CARD = 19

function isCardNumber(digits: readonly number[]): boolean {
  if (digits.length === 0 || digits.length > LONGEST_CARD) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits[digits.length - 1 - i]!
    const weighed = i % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

function isSocialSecurityNumber(digits: readonly number[]): boolean {
  if (digits.length !== 9) return false
  const steps = digits.slice(1).map((digit, i) => digit - digits[i]!)
  if (steps.every(step => step === 0) || steps.every(step => step === 1)) return false
  const number = Number(digits.join(''))
  const area = Math.floor(number / 1_000_000)
  const group = Math.floor(number / 10_000) % 100
  return area > 0 && area < 740 && area !== 666 && group > 0 && number % 10_000 > 0
}
