import { asciiLower } from '../../kit/ascii.ts'
import type { Requirements } from '../../regex/index.ts'
import { detectSqli, detectXss, sqliRequirements, xssRequirements } from '../index.ts'

/** Whether a value meets every clause. */
export function meets(requirements: Requirements, value: string): boolean {
  const lower = asciiLower(value)
  return requirements.every(clause =>
    clause.kind === 'literals'
      ? clause.literals.some(literal => lower.includes(literal))
      : Array.from(value).some(sign => clause.bytes.has(sign.charCodeAt(0))),
  )
}

/** Values that a detector finds against its requirements; should be empty. */
export function foundAgainstRequirements(values: Iterable<string>): string[] {
  return [...values].filter(
    value =>
      (detectSqli(value) !== null && !meets(sqliRequirements, value)) ||
      (detectXss(value) && !meets(xssRequirements, value)),
  )
}
