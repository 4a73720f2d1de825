import { ApiFailure } from './failure.ts'
import { credentialsOf, currentSession, endSession } from './session.ts'
import type { ErrorEntry, Operations, PageInfo } from './types.ts'

export type Operation = keyof Operations

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

/** Options of a call, apart from method and path. */
export type Input<Key extends Operation> = {
  readonly path?: Readonly<Record<Names<Key>, string | number>>
  readonly query?: Operations[Key]['query']
  readonly body?: Operations[Key]['body']
  /** Version of the ruleset that a write is based on. The API refuses an outdated version with 412. */
  readonly ifMatch?: string
} & ([Names<Key>] extends [never] ? unknown : { readonly path: unknown })

export type Result<Key extends Operation> = Operations[Key]['result']

export interface Answer<T> {
  readonly result: T
  readonly page: PageInfo | undefined
}

export interface Call {
  readonly method: string
  /** Path below /client/v4, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly ifMatch?: string
  /** The browser finishes the request after the page closes. */
  readonly outlivesPage?: true
}

/** One call of the API by its name in types.ts. @throws ApiFailure */
export async function call<Key extends Operation>(
  key: Key,
  input?: Input<Key>,
  signal?: AbortSignal,
): Promise<Result<Key>> {
  return (await callPage(key, input, signal)).result
}

/** Like `call`, with the page information of the response. */
export async function callPage<Key extends Operation>(
  key: Key,
  input?: Input<Key>,
  signal?: AbortSignal,
): Promise<Answer<Result<Key>>> {
  return send<Result<Key>>(describeCall(key, input), signal)
}

/** The request that the call would send, for users who run it themselves. */
export function describeCall<Key extends Operation>(key: Key, input?: Input<Key>): Call {
  const [method = 'GET', template = ''] = key.split(' ')
  const values = (input?.path ?? {}) as Readonly<Record<string, string | number>>
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const query = queryText((input?.query ?? {}) as Readonly<Record<string, unknown>>)
  return {
    method,
    path: path + query,
    ...(input?.body === undefined ? {} : { body: input.body }),
    ...(input?.ifMatch === undefined ? {} : { ifMatch: input.ifMatch }),
  }
}

/**
 * @param token replaces the session's token
 * @throws ApiFailure
 */
export async function send<T>(
  { method, path, body, ifMatch, outlivesPage }: Call,
  signal?: AbortSignal,
  token = currentSession()?.token,
): Promise<Answer<T>> {
  const { headers, credentials } = credentialsOf(token)
  const response = await fetch(`/client/v4${path}`, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(outlivesPage ? { keepalive: true } : {}),
    credentials,
  }).catch(error => {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, [{ message: 'cannot reach the API' }])
  })
  const envelope = await readEnvelope<T>(response)
  if (response.ok && envelope.success) return { result: envelope.result, page: envelope.result_info }
  const failure = new ApiFailure(response.status, envelope.errors)
  if (token === currentSession()?.token && hasEnded(failure, token)) endSession()
  throw failure
}

/** Codes of the API for a session that has ended, and for a request without its cookie. */
const endedCodes: ReadonlySet<number> = new Set([10384, 9106])

/** Codes for a wrong password or one-time code of someone who is signed in. */
const proofCodes: ReadonlySet<number> = new Set([10380, 10382])

/** Whether the token was deleted, disabled or has expired, or the session has ended. */
function hasEnded({ status, code }: ApiFailure, token: string | undefined): boolean {
  if (token === undefined) return code !== undefined && endedCodes.has(code)
  return status === 401 && (code === undefined || !proofCodes.has(code))
}

interface Envelope<T> {
  readonly success: boolean
  readonly result: T
  readonly errors: readonly ErrorEntry[]
  readonly result_info?: PageInfo
}

async function readEnvelope<T>(response: Response): Promise<Envelope<T>> {
  if (response.status === 204) return { success: true, result: undefined as T, errors: [] }
  try {
    return (await response.json()) as Envelope<T>
  } catch {
    const message = `status ${response.status}: this response is not from the API. Check for a proxy in between`
    throw new ApiFailure(response.status, [{ message }])
  }
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value))
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
