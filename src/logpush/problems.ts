import type { FilterProblem } from '../logfilter/index.ts'
import type { Checked, Problem } from '../model/problem.ts'

/** Codes of Logpush in the API's errors; 1002 and 1004 are Cloudflare's own. */
export const logpushCodes = {
  invalidDestination: 1002,
  notAllowed: 1004,
  invalidField: 1005,
  invalidFilter: 1006,
  immutable: 1007,
} as const

export function refuse(
  code: keyof typeof logpushCodes,
  message: string,
  pointer?: string,
): { readonly ok: false; readonly problem: Problem } {
  const problem = { status: 400, code: logpushCodes[code], message } as const
  return { ok: false, problem: pointer === undefined ? problem : { ...problem, pointer } }
}

/** For a field `filter` of the request. */
export function refuseFilter({ pointer, message }: FilterProblem): ReturnType<typeof refuse> {
  const at = pointer === '' ? '' : ` at ${pointer}`
  return refuse('invalidFilter', `the filter is not valid${at}: ${message}`, '/filter')
}

export function accept<T>(value: T): Checked<T> {
  return { ok: true, value }
}
