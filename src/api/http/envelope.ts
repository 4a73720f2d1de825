import type { errorEntrySchema, messageSchema, pageInfoSchema } from './envelope-schemas.ts'
import type { Wire } from './schemas.ts'

/** The shape of every response body of the API. */
export interface Envelope {
  readonly result: unknown
  readonly success: boolean
  readonly errors: readonly ErrorEntry[]
  readonly messages: readonly Message[]
  readonly result_info?: Wire<typeof pageInfoSchema>
}

export type ErrorEntry = Wire<typeof errorEntrySchema>
export type Message = Wire<typeof messageSchema>

export function success(result: unknown, messages: readonly Message[] = []): Envelope {
  return { result, success: true, errors: [], messages }
}

export function failure(errors: readonly ErrorEntry[]): Envelope {
  return { result: null, success: false, errors, messages: [] }
}

/** One page of a list. A page past the end is empty: clients ask for the next one until they get that. */
export function page<T>(
  items: readonly T[],
  number: number,
  size: number,
  toWire: (item: T) => unknown,
): Envelope {
  const shown = items.slice((number - 1) * size, number * size)
  return pageOf(shown.map(toWire), number, size, items.length)
}

/** One page of a list of which only this page was read. */
export function pageOf(shown: readonly unknown[], number: number, size: number, total: number): Envelope {
  return {
    ...success(shown),
    result_info: {
      page: number,
      per_page: size,
      count: shown.length,
      total_count: total,
      total_pages: Math.ceil(total / size),
    },
  }
}

/** A part of a list, and where the next one begins when there is one. */
export function cursorPage(shown: readonly unknown[], cursor: string | undefined): Envelope {
  if (cursor === undefined) return success(shown)
  return { ...success(shown), result_info: { cursors: { after: cursor }, cursor } }
}
/** An entry of `messages` about a part of a written document that is stored and has no effect. */
export function notEnforcedMessage({ code, message }: Pick<Message, 'code' | 'message'>): Message {
  return { code, message: `not enforced here: ${message}`, type: null }
}

/** An entry of `messages` about a part of a written document that has a smaller effect than at Cloudflare. */
export function inPartMessage({ code, message }: Pick<Message, 'code' | 'message'>): Message {
  return { code, message: `partly enforced here: ${message}`, type: null }
}
