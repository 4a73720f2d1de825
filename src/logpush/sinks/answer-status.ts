import { destinationLimits } from './limits.ts'
import type { Answer } from './outgoing.ts'
import { SinkError, type SinkErrorOptions } from './sink.ts'

/** Whether the same request can succeed later without a change. A conflict comes from another attempt in progress. */
export function retryOf(status: number): 'later' | 'never' {
  return status >= 500 || [408, 409, 423, 425, 429].includes(status) ? 'later' : 'never'
}

/** The SinkError details of a refusing answer. */
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
  return ms > 0 ? Math.min(ms, destinationLimits.retryAfterMsMax) : undefined
}

/** Advice for a refusal, unless the kind of destination has its own. */
export function adviceFor(status: number): string | undefined {
  if (status >= 300 && status < 400) return 'a redirect, which is not followed: give the address itself'
  switch (status) {
    case 401:
      return 'the credentials are missing or wrong'
    case 403:
      return 'the credentials may not write there'
    case 404:
      return 'there is nothing at this path'
    case 405:
      return 'it does not take this method'
    case 407:
      return 'a proxy in between requires credentials'
    case 413:
      return 'the batch is too large for it: lower max_upload_bytes or max_upload_records'
    case 415:
      return 'it requires another content type: set header_Content-Type'
    case 429:
      return 'it is busy'
    case 507:
      return 'its disk is full'
    default:
      return undefined
  }
}

/** Advice after a colon, if there is any. */
export function explained(advice: string | undefined): string {
  return advice === undefined ? '' : `: ${advice}`
}

/** A page instead of a machine-readable answer: HTML, or other markup. */
export function isPage({ body }: Pick<Answer, 'body'>): boolean {
  return /^\s*</.test(body.subarray(0, 256).toString('latin1'))
}

/**
 * A success status that does not come from the receiver: a login page, or the answer of a proxy. Repeating does not
 * help, unless the answer just broke off.
 * @param expected the receiver's expected answer
 */
export function foreignAnswer(
  { status, whole }: Pick<Answer, 'status' | 'whole'>,
  at: string,
  expected: string,
): SinkError {
  return new SinkError(
    'foreign-answer',
    whole ? 'never' : 'later',
    `${at} answered ${status} without ${expected}: check the address, and whether a proxy answers with its own page`,
    { status },
  )
}

/** For receivers whose success answers are empty or JSON. @throws SinkError when it is a page */
export function refusePage(answer: Answer, at: string): undefined {
  if (isPage(answer)) throw foreignAnswer(answer, at, "the receiver's own answer")
}
