import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json, JsonObject } from '../model/resource.ts'
import type { Settings } from '../model/settings/index.ts'

export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls of the API with one token. Each throws an Error that names the path, when the API refuses. */
export interface Api {
  /** `http://127.0.0.1:8787/client/v4`. */
  readonly base: string
  /** The metrics as Prometheus reads them. */
  metrics(): Promise<string>
  get(path: string): Promise<JsonObject>
  /** Every object of a list, over all of its pages. */
  list(path: string): Promise<readonly JsonObject[]>
  /** The pages of a list, each read when it is asked for. */
  pages(path: string): AsyncGenerator<readonly JsonObject[], void>
  /** Writes the file that a call answers with to a path; an existing file is replaced when all has arrived. */
  download(path: string, body: Json, file: string): Promise<void>
  /** @returns the result; empty for an answer without one */
  send(method: WriteMethod, path: string, body?: Json): Promise<JsonObject>
}

/** No answer of the API came: a write may be applied or not. */
export class AnswerLostError extends Error {}

interface Answer {
  readonly success?: boolean
  readonly result?: unknown
  readonly errors?: readonly {
    readonly message?: string
    readonly source?: { readonly pointer?: string }
  }[]
  readonly result_info?: {
    readonly page?: number
    readonly total_pages?: number
    readonly cursors?: { readonly after?: string }
  }
}

const requestTimeoutMs = 60_000

/** Codes of errors before a connection. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The API that the variables of Cloudflare's clients name, or the one that the settings describe. */
export async function openApi(settings: Settings): Promise<Api> {
  const { CLOUDFLARE_BASE_URL: url, CLOUDFLARE_API_TOKEN: token } = process.env
  const base = (url ?? localUrl(settings)).replace(/\/$/, '')
  const authorization = `Bearer ${token ?? (await localToken(settings))}`

  function reach(url: string, { headers, ...options }: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(requestTimeoutMs)
    return fetch(url, { ...options, headers: { ...headers, authorization }, signal }).catch(error => {
      const Kind = unsentCodes.has(error.cause?.code) ? Error : AnswerLostError
      throw new Kind(`${base} cannot be reached: ${error.cause?.message ?? error.message}`, { cause: error })
    })
  }

  async function ask(path: string, method: 'GET' | WriteMethod = 'GET', body?: Json): Promise<Answer> {
    const response = await reach(`${base}${path}`, { method, ...(body === undefined ? {} : jsonBody(body)) })
    if (response.status === 204) return {}
    const answer = await answerOf(response)
    if (response.ok && answer.success === true) return answer
    throw refusalOf(path, response.status, answer)
  }

  function refusalOf(path: string, status: number, answer: Answer): Error {
    const Kind = answer.success === undefined ? AnswerLostError : Error
    return new Kind(`${base}${path} answers ${status}: ${reasonsOf(answer)}`)
  }

  async function* pages(path: string): AsyncGenerator<readonly JsonObject[], void> {
    const join = path.includes('?') ? '&' : '?'
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { result, result_info: info = {} }: Answer = await ask(
        next === '' ? path : `${path}${join}${next}`,
      )
      yield result as JsonObject[]
      const { page = 1, total_pages: pages = 1, cursors } = info
      if (cursors?.after) next = `cursor=${encodeURIComponent(cursors.after)}`
      else next = page < pages ? `page=${page + 1}` : undefined
    }
  }

  return {
    base,
    async metrics() {
      const response = await reach(new URL('/metrics', base).href, {})
      if (response.ok) return response.text()
      throw new Error(`${response.url} answers ${response.status}: ${reasonsOf(await answerOf(response))}`)
    },
    async download(path, body, file) {
      const response = await reach(`${base}${path}`, { method: 'POST', ...jsonBody(body) })
      if (!response.ok) throw refusalOf(path, response.status, await answerOf(response))
      const unfinished = `${file}.unfinished`
      try {
        await writeFile(unfinished, response.body!)
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw new Error(`${file} is not written: ${wordsOf(error)}`, { cause: error })
      }
    },
    get: async path => (await ask(path)).result as JsonObject,
    send: async (method, path, body) => ((await ask(path, method, body)).result ?? {}) as JsonObject,
    pages,
    async list(path) {
      const found: JsonObject[] = []
      for await (const page of pages(path)) found.push(...page)
      return found
    },
  }
}

/** A connection that breaks off says so in its cause. */
function wordsOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}

function jsonBody(body: Json): RequestInit {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

async function answerOf(response: Response): Promise<Answer> {
  return (await response.json().catch(() => ({}))) as Answer
}

/** The messages with the JSON pointers that they are about. */
function reasonsOf({ errors = [] }: Answer): string {
  if (errors.length === 0) return 'no answer of an API'
  return errors
    .map(({ message, source }) => (source?.pointer ? `${message} (at ${source.pointer})` : `${message}`))
    .join('; ')
}

function localUrl({ apiListen: { host, port } }: Settings): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/client/v4`
}

async function localToken({ adminToken, data }: Settings): Promise<string> {
  if (adminToken !== undefined) return adminToken
  const file = join(data, 'admin-token')
  return readFile(file, 'utf8').then(
    text => text.trim(),
    error => {
      throw new Error(
        `there is no token in ${file}: name one with CLOUDFLARE_API_TOKEN, or the data directory with --data`,
        { cause: error },
      )
    },
  )
}
