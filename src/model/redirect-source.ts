import { withUniformEscapes } from '../kit/url-escapes.ts'

/** The requests that a bulk redirect is for. */
export interface RedirectSource {
  /** `http` or `https`; undefined: both. */
  readonly scheme: string | undefined
  /** In lower case, ASCII. */
  readonly host: string
  /** With uniform escapes; `/` if the URL has none. */
  readonly path: string
}

/** @param url `source_url` of an item that the API has checked; all spellings of a URL give the same source */
export function redirectSourceOf(url: string): RedirectSource {
  const scheme = /^(https?):\/\//i.exec(url)?.[1]?.toLowerCase()
  const { hostname, pathname } = new URL(scheme === undefined ? `https://${url}` : url)
  return { scheme, host: hostname, path: withUniformEscapes(pathname) }
}

/** The source as one text, which tells the items of a list apart. */
export function redirectSourceText(url: string): string {
  const { scheme, host, path } = redirectSourceOf(url)
  return (scheme === undefined ? '' : `${scheme}://`) + host + path
}
