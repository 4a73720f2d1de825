import type { Method } from '../../src/api/testing/test-api.ts'
import { Exactly, type Expected } from '../expected.ts'

export { Exactly, type Expected }

/**
 * One promise of the API. Every case begins with an account and a zone without jobs and sessions.
 *
 * Texts hold names in angle brackets: `<scope>` is the path of the case's level, `<other>` the other level's path.
 * `<account>` and `<zone>` are ids, and `<folder>` is a directory. `<s3>` is an S3 server, as a parameter of a
 * destination. `<job>` is the id of the last job in a response and `<next>` the one after it. `<value>` is the last
 * API token, `<session>` the last session of Instant Logs, and `<challenge>` the text of the last ownership
 * challenge.
 */
export interface Case {
  /** Begins with its section of the API's description. */
  readonly name: string
  /** Both levels if absent. */
  readonly level?: 'account' | 'zone'
  /** Requests before it; each must succeed. */
  readonly given?: readonly Request[]
  readonly request: Request
  /** 200 if absent. */
  readonly status?: number
  /** The response's `result` must match it. */
  readonly result?: Expected
  /** The first entry of `errors`; undefined members are not compared. */
  readonly error?: readonly [code: number | undefined, message: RegExp, pointer?: string]
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string | RegExp>>
  /** The response has no envelope: its text, or the JSON in it. */
  readonly bare?: { readonly text: string | RegExp } | { readonly json: Expected }
}

export type Request = readonly [
  method: Method,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string | undefined>>,
]

export const jobs = '/<scope>/logpush/jobs'
export const job = `${jobs}/<job>`
export const folder = 'file://<folder>/logs'
export const unowned = 's3://logs/owned?region=us-east-1&endpoint=<s3>'
export const owned = `${unowned}&access-key-id=S3RVER&secret-access-key=the-right-secret`

/** A job to a directory. */
export const create = (more: object = {}): Request => ['POST', jobs, { destination_conf: folder, ...more }]

/** The job is created, and the response equals the request. */
export function taken(name: string, more: Readonly<Record<string, unknown>>, level?: Case['level']): Case {
  const echoed = Object.fromEntries(
    Object.entries(more).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? new Exactly(value) : value,
    ]),
  )
  return { name, request: create(more), result: echoed, ...(level === undefined ? {} : { level }) }
}

/** The job is refused. */
export function refused(
  name: string,
  more: object,
  code: number,
  pointer: string,
  message = /./,
  level?: Case['level'],
): Case {
  const error: Case['error'] = [code, message, pointer]
  return { name, request: create(more), status: 400, error, ...(level === undefined ? {} : { level }) }
}

/** A record of the dataset http_requests, with the default fields in the API's description. */
export const defaultFields = [
  'ClientIP',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestURI',
  'EdgeEndTimestamp',
  'EdgeResponseBytes',
  'EdgeResponseStatus',
  'EdgeStartTimestamp',
  'RayID',
]

export const codes = {
  destination: 1002,
  job: 1003,
  notAllowed: 1004,
  field: 1005,
  filter: 1006,
  fixed: 1007,
}
