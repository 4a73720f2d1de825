/** A request on the page: typed, pasted or linked. */
export interface RequestDraft {
  readonly method: string
  /** With scheme and host, not normalised. */
  readonly url: string
  readonly headers: readonly HeaderRow[]
  readonly body: string
  /** The body is Base64, because it is binary. */
  readonly isBase64: boolean
  /** Empty: an address of the documentation range. */
  readonly clientIp: string
  /** Two letters; empty: derived from the address. */
  readonly country: string
  /** The client has passed its challenge. */
  readonly cleared: boolean
  /** `HTTP/1.1` or `HTTP/1.0`. */
  readonly protocol: string
}

export type HeaderRow = readonly [name: string, value: string]

export const emptyDraft: RequestDraft = {
  method: 'GET',
  url: '',
  headers: [],
  body: '',
  isBase64: false,
  clientIp: '',
  country: '',
  cleared: false,
  protocol: 'HTTP/1.1',
}

/** Methods that the edge knows, without CONNECT. */
export const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'REPORT',
  'SEARCH',
] as const

export function headerOf({ headers }: Pick<RequestDraft, 'headers'>, lowerName: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1]
}
