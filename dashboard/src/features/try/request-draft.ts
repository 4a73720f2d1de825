/** A request as the page has it: what is typed, pasted or linked to. Texts are text. */
export interface RequestDraft {
  readonly method: string
  /** With scheme and host; not tidied up in any way. */
  readonly url: string
  readonly headers: readonly HeaderRow[]
  readonly body: string
  /** The body is written as Base64, because it is no text. */
  readonly isBase64: boolean
  /** Empty: an address of the documentation. */
  readonly clientIp: string
  /** Two letters; empty: that of the address. */
  readonly country: string
  /** The client has solved its challenge. */
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

/** As the edge knows them; CONNECT is of no use in a form. */
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
