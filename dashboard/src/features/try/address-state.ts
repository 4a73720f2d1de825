import type { AddressState } from '../../domain/links/try-link.ts'
import { CannotRead } from './read/read.ts'
import { emptyDraft, type HeaderRow, type RequestDraft } from './request-draft.ts'

/** Query length that browsers, proxies and chats still accept. */
const charactersMax = 4000

/** Credentials do not go into addresses, which are stored in histories and shared. */
const secret = /^(?:cookie|(?:proxy-)?authorization|.*(?:api-?key|token|secret|password).*)$/i

export interface Shared {
  /** Empty when the request is too long for an address. */
  readonly state: AddressState
  /** Names of omitted headers. */
  readonly leftOut: readonly string[]
}

export function sharedState(draft: RequestDraft): Shared {
  const kept = draft.headers.filter(([name]) => !secret.test(name))
  const leftOut = draft.headers.filter(([name]) => secret.test(name)).map(([name]) => name)
  const state: AddressState = {
    url: draft.url,
    ...(draft.method !== 'GET' && { method: draft.method }),
    ...(kept.length > 0 && { headers: headersText(kept) }),
    ...(draft.body !== '' && (draft.isBase64 ? { body64: draft.body } : { body: draft.body })),
    ...(draft.clientIp !== '' && { ip: draft.clientIp }),
    ...(draft.country !== '' && { country: draft.country }),
    ...(draft.cleared && { cleared: '1' }),
    ...(draft.protocol !== 'HTTP/1.1' && { http: draft.protocol }),
  }
  const { length } = new URLSearchParams({ ...state }).toString()
  return length > charactersMax ? { state: {}, leftOut: [] } : { state, leftOut }
}

/** Undefined without a request in the address. */
export function draftOf(state: AddressState): RequestDraft | undefined {
  if (state.url === undefined || state.url === '') return undefined
  return {
    ...emptyDraft,
    method: state.method ?? 'GET',
    url: state.url,
    headers: headersIn(state.headers ?? ''),
    body: state.body64 ?? state.body ?? '',
    isBase64: state.body64 !== undefined,
    clientIp: state.ip ?? '',
    country: state.country ?? '',
    cleared: state.cleared === '1',
    protocol: state.http === 'HTTP/1.0' ? 'HTTP/1.0' : 'HTTP/1.1',
  }
}

export function headersText(headers: readonly HeaderRow[]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

/** @throws CannotRead with the faulty line */
export function headersOfText(text: string): HeaderRow[] {
  return text.split('\n').flatMap((line, index): HeaderRow[] => {
    if (line.trim() === '') return []
    const [, name, value] = /^\s*([^\s:]+)\s*:(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new CannotRead(`Line ${index + 1} is not a header: write “Name: value”.`)
    return [[name, value.trim()]]
  })
}

/** Ignores unreadable parts of an address. */
function headersIn(text: string): HeaderRow[] {
  try {
    return headersOfText(text)
  } catch {
    return []
  }
}
