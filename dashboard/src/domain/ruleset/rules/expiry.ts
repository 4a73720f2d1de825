import { scan } from '../../expression/scan.ts'

/**
 * The API has no end date for rules. The dashboard writes it as a condition on the time of the request, behind the rest
 * of the expression. Only a condition in exactly this shape is shown as a date.
 */
const shape = /^\(([\s\S]*)\) and http\.request\.timestamp\.sec lt ([0-9]{1,11})$/

export interface Expiring {
  readonly expression: string
  /** Seconds since 1970; undefined for a rule without an end date. */
  readonly endsAt: number | undefined
}

export function readExpiry(text: string): Expiring {
  const match = shape.exec(text.trim())
  const expression = match?.[1]?.trim()
  if (expression === undefined || !isWhole(expression)) return { expression: text, endsAt: undefined }
  return { expression, endsAt: Number(match![2]) }
}

export function writeExpiry({ expression, endsAt }: Expiring): string {
  return endsAt === undefined
    ? expression
    : `(${expression.trim()}) and http.request.timestamp.sec lt ${endsAt}`
}

/** An API message about an expression with an end date, with columns shifted to the part that the user sees. */
export function withoutEnd(message: string): string {
  return message.replace(
    /(Filter parsing error \(1:)([0-9]+)/,
    (_, heading, column) => `${heading}${Number(column) - 1}`,
  )
}

/** True when its own parentheses are balanced, so that outer ones match each other. */
function isWhole(expression: string): boolean {
  let depth = 0
  for (const { kind, from } of scan(expression)) {
    if (kind !== 'symbol') continue
    if (expression[from] === '(') depth++
    else if (expression[from] === ')' && --depth < 0) return false
  }
  return depth === 0
}

/** For `datetime-local`: local time without a zone, to the minute. */
export function localText(seconds: number): string {
  const moment = new Date(seconds * 1000)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** @returns undefined for an invalid time */
export function secondsOf(local: string): number | undefined {
  const ms = Date.parse(local)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
