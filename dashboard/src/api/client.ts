import { ApiFailure } from './failure.ts'
import { currentSession, endSession } from './session.ts'
import type { ErrorEntry, Operations, PageInfo } from './types.ts'

export type Operation = keyof Operations

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

/** What a call takes beside its method and path. */
export type Input<Key extends Operation> = {
  readonly path?: Readonly<Record<Names<Key>, string | number>>
  readonly query?: Operations[Key]['query']
  readonly body?: Operations[Key]['body']
  /** The version of a ruleset that a write was made against; refused with 412 when it is not the newest any more. */
  readonly ifMatch?: string
} & ([Names<Key>] extends [never] ? unknown : { readonly path: unknown })

export type Result<Key extends Operation> = Operations[Key]['result']

export interface Answer<T> {
  readonly result: T
  readonly page: PageInfo | undefined
}

export interface Call {
  readonly method: string
  /** Below /client/v4, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly ifMatch?: string
  /** Goes out even when the page is left meanwhile. */
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

/** Like `call`, with what the answer says of pages. */
export async function callPage<Key extends Operation>(
  key: Key,
  input?: Input<Key>,
  signal?: AbortSignal,
): Promise<Answer<Result<Key>>> {
  return send<Result<Key>>(describeCall(key, input), signal)
}

/** The call without making it, for people who would rather make it themselves. */
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
 * @param token instead of the one that is signed in
 * @throws ApiFailure
 */
export async function send<T>(
  { method, path, body, ifMatch, outlivesPage }: Call,
  signal?: AbortSignal,
  token = currentSession()?.token,
): Promise<Answer<T>> {
  const response = await fetch(`/client/v4${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(outlivesPage ? { keepalive: true } : {}),
    credentials: 'omit',
  }).catch(error => {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, [{ message: 'the API cannot be reached' }])
  })
  const envelope = await readEnvelope<T>(response)
  if (response.ok && envelope.success) return { result: envelope.result, page: envelope.result_info }
  // The token was deleted, disabled or has expired meanwhile.
  if (response.status === 401 && token !== undefined && token === currentSession()?.token) endSession()
  throw new ApiFailure(response.status, envelope.errors)
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
    const message = `the answer (status ${response.status}) is not the API’s; is there a proxy in between?`
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
