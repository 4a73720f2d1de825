import type { Answer } from '../outgoing.ts'
import type { SinkErrorOptions } from './sink.ts'

/** A destination may not ask for more time than this. */
const retryAfterMsMax = 3_600_000

/**
 * Can the same request succeed later although nobody mends anything? Conflicts are those of another attempt that is
 * still under way.
 */
export function retryOf(status: number): 'later' | 'never' {
  return status >= 500 || [408, 409, 423, 425, 429].includes(status) ? 'later' : 'never'
}

/** What a SinkError says of an answer that is a refusal. */
export function refusalOptions({ status, headers }: Pick<Answer, 'status' | 'headers'>): SinkErrorOptions {
  return {
    step: status === 401 || status === 403 || status === 407 ? 'authenticate' : 'write',
    status,
    retryAfterMs: retryAfterMs(headers['retry-after']),
  }
}

/**
 * `Retry-After` as seconds or as a date.
 * @source RFC 9110, 10.2.3
 */
function retryAfterMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return ms > 0 ? Math.min(ms, retryAfterMsMax) : undefined
}
