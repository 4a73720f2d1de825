import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../../model/resource.ts'
import type { Settings } from '../../../model/settings/index.ts'

/** Reads of the API with one token. */
export interface Api {
  /** @throws Error naming the path, when the API refuses */
  get(path: string): Promise<JsonObject>
  /** Every object of a list, over all of its pages. */
  list(path: string): Promise<readonly JsonObject[]>
}

interface Answer {
  readonly success?: boolean
  readonly result?: unknown
  readonly errors?: readonly { readonly message?: string }[]
  readonly result_info?: {
    readonly page?: number
    readonly total_pages?: number
    readonly cursors?: { readonly after?: string }
  }
}

const requestTimeoutMs = 60_000

/** The API that the variables of Cloudflare's clients name, or the one that the settings describe. */
export async function openApi(settings: Settings): Promise<Api> {
  const { CLOUDFLARE_BASE_URL: url, CLOUDFLARE_API_TOKEN: token } = process.env
  const base = (url ?? localUrl(settings)).replace(/\/$/, '')
  const authorization = `Bearer ${token ?? (await localToken(settings))}`

  async function ask(path: string): Promise<Answer> {
    const signal = AbortSignal.timeout(requestTimeoutMs)
    const response = await fetch(`${base}${path}`, { headers: { authorization }, signal }).catch(error => {
      throw new Error(`${base} cannot be reached: ${error.cause?.message ?? error.message}`, { cause: error })
    })
    const answer = (await response.json().catch(() => ({}))) as Answer
    if (response.ok && answer.success === true) return answer
    const why = answer.errors?.[0]?.message ?? 'no answer of an API'
    throw new Error(`${base}${path} answers ${response.status}: ${why}`)
  }

  return {
    get: async path => (await ask(path)).result as JsonObject,
    async list(path) {
      const found: JsonObject[] = []
      const join = path.includes('?') ? '&' : '?'
      for (let next: string | undefined = ''; next !== undefined; ) {
        const { result, result_info: info = {} }: Answer = await ask(
          next === '' ? path : `${path}${join}${next}`,
        )
        found.push(...(result as JsonObject[]))
        const { page = 1, total_pages: pages = 1, cursors } = info
        if (cursors?.after) next = `cursor=${encodeURIComponent(cursors.after)}`
        else next = page < pages ? `page=${page + 1}` : undefined
      }
      return found
    },
  }
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
