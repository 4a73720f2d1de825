import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import { isId } from '../../kit/ids.ts'
import { refusal } from './errors.ts'
import { apiLimits } from './limits.ts'

/** Query parameters of every paged list. */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: apiLimits.perPageMax })),
  direction: Type.Optional(Type.Enum(['asc', 'desc'])),
}

/**
 * A test of names: the name itself, or an operator and its operand such as `contains:shop`, as the list of zones
 * takes them. Letter case does not matter.
 */
export function nameTest(text: string): (name: string) => boolean {
  const colon = text.indexOf(':')
  const operator = nameOperators[text.slice(0, Math.max(colon, 0))]
  const wanted = (operator === undefined ? text : text.slice(colon + 1)).toLowerCase()
  const test = operator ?? nameOperators['equal']!
  return name => test(name.toLowerCase(), wanted)
}

const nameOperators: Readonly<Record<string, (name: string, wanted: string) => boolean>> = {
  equal: (name, wanted) => name === wanted,
  not_equal: (name, wanted) => name !== wanted,
  starts_with: (name, wanted) => name.startsWith(wanted),
  ends_with: (name, wanted) => name.endsWith(wanted),
  contains: (name, wanted) => name.includes(wanted),
}

/** A moment of a query, in the API's form. A date without a time means midnight UTC. @throws ApiError 400 */
export function readTime(text: string, field: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}|$)/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) {
    const reason = 'it is neither a date such as 2027-01-31 nor a time such as 2027-01-31T12:00:00Z'
    throw refusal('badValue', { value: text, field, reason })
  }
  return timestampOf(ms)
}

/** The end of a page: its last item, and the next item in case the last one is deleted meanwhile. */
export interface Cursor {
  readonly last: string
  readonly next: string
}

/** Opaque to clients. */
export function cursorText({ last, next }: Cursor): string {
  return Buffer.from(last + next, 'hex').toString('base64url')
}

/** @throws ApiError 400 for a text that no list gave out */
export function readCursor(text: string): Cursor {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  const cursor = { last: hex.slice(0, 32), next: hex.slice(32) }
  if (isId(cursor.last) && isId(cursor.next) && cursorText(cursor) === text) return cursor
  throw badCursor(text)
}

/** Also if both items of a cursor were deleted. */
export function badCursor(text: string): Error {
  const reason = 'no page of this list has this cursor; start again without one'
  return refusal('badValue', { value: text.slice(0, 100), field: 'cursor', reason })
}

/** The page of a list that begins where `cursor` says; nothing is shown twice or left out when items come and go. */
export function pageAfter<T extends { readonly id: string }>(
  items: readonly T[],
  cursor: string | undefined,
  size: number,
): { readonly shown: readonly T[]; readonly cursor: string | undefined } {
  const start = cursor === undefined ? 0 : startOf(items, cursor)
  const shown = items.slice(start, start + size)
  const last = shown.at(-1)
  const next = items[start + size]
  const more = last !== undefined && next !== undefined
  return { shown, cursor: more ? cursorText({ last: last.id, next: next.id }) : undefined }
}

function startOf(items: readonly { readonly id: string }[], text: string): number {
  const { last, next } = readCursor(text)
  const lastAt = items.findIndex(item => item.id === last)
  if (lastAt >= 0) return lastAt + 1
  const nextAt = items.findIndex(item => item.id === next)
  if (nextAt < 0) throw badCursor(text)
  return nextAt
}
