import { Agent, type Dispatcher } from 'undici'
import { boxTokens, type CustomPageId, requiredTokens } from '../../model/custom-page.ts'
import type { Reach } from '../../model/settings/index.ts'
import { failureWords, guardedConnector } from '../../outgoing/index.ts'
import { outgoingLimits } from '../../outgoing/limits.ts'
import { refusal } from '../http/errors.ts'
import { customPageLimits } from './limits.ts'

/** The content at a URL. */
interface Fetched {
  /** In lower case, without parameters. */
  readonly contentType: string
  readonly content: string
}

/**
 * Fetches a page, with `SLUICE_DESTINATIONS` as its guard. Redirects are not followed.
 * @returns its HTML, with every required token
 * @throws ApiError 400 at `/url`
 */
export async function fetchPage(id: CustomPageId, address: string, reach: Reach): Promise<string> {
  return fetched(address, reach, ['text/html'], ({ content }) => withTokens(id, content))
}

/** The types of the content that rules serve. */
const assetTypes = ['text/html', 'text/plain', 'application/json', 'text/xml', 'application/xml']

/** Fetches an asset as `fetchPage` does. */
export async function fetchAsset(address: string, reach: Reach): Promise<Fetched> {
  return fetched(address, reach, assetTypes, whole => whole)
}

/** @param take throws PageError for content that cannot be used */
async function fetched<T>(
  address: string,
  reach: Reach,
  types: readonly string[],
  take: (whole: Fetched) => T,
): Promise<T> {
  const url = pageUrl(address)
  const agent = new Agent({
    connect: guardedConnector(
      { reach, setting: 'SLUICE_DESTINATIONS' },
      { timeout: customPageLimits.pageFetchMs },
    ),
    maxHeaderSize: outgoingLimits.originHeaderBytesMax,
  })
  try {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: {
        'user-agent': 'sluice-custom-pages',
        accept: types.join(', '),
        'accept-encoding': 'identity',
      },
      signal: AbortSignal.timeout(customPageLimits.pageFetchMs),
    })
    return take(await contentOf(url, response, types))
  } catch (error) {
    if (error instanceof PageError) throw refusal('customPageFetch', { reason: error.message }, '/url')
    throw refusal('customPageFetch', { reason: failureWords(url, error) }, '/url')
  } finally {
    void agent.destroy()
  }
}

/** The page came, and cannot be used. */
class PageError extends Error {
  override readonly name = 'PageError'
}

function pageUrl(address: string): URL {
  const url = URL.parse(address)
  const reason =
    url === null
      ? 'it is no URL'
      : url.protocol !== 'https:' && url.protocol !== 'http:'
        ? 'it has to begin with https:// or http://'
        : url.username !== '' || url.password !== ''
          ? 'it must not hold credentials'
          : undefined
  if (url === null || reason !== undefined)
    throw refusal('badValue', { value: address, field: 'url', reason: reason! }, '/url')
  return url
}

/** Servers may answer with the status that the page is about. @source Cloudflare's changelog, 2025-06-09 */
function isUsable(status: number): boolean {
  return status === 200 || (status >= 400 && status <= 599)
}

async function contentOf(
  url: URL,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  types: readonly string[],
): Promise<Fetched> {
  try {
    if (!isUsable(statusCode)) {
      const location = statusCode >= 300 && statusCode < 400 ? quoted(headers['location']) : ''
      const advice = location === '' ? '' : `; redirects are not followed, so name ${location}`
      throw new PageError(`Fetch failed, ${url.href} returned ${statusCode}${advice}`)
    }
    const type = quoted(headers['content-type'])
    const contentType = type.split(';', 1)[0]!.trim().toLowerCase()
    if (!types.includes(contentType))
      throw new PageError(`its Content-Type is "${type}" and has to be ${types.join(' or ')}`)
    if (headers['content-encoding'] !== undefined)
      throw new PageError(`its server compresses it without being asked`)
    const content = textOf(await bytesOf(body))
    if (content.trim() === '') throw new PageError('it is blank')
    return { contentType, content }
  } finally {
    body.on('error', () => {}).destroy()
  }
}

/** A header of the other server, for a message: its first characters. */
function quoted(value: string | string[] | undefined): string {
  return String(value ?? '').slice(0, 200)
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > customPageLimits.pageBytesMax)
      throw new PageError(`it is longer than ${customPageLimits.pageBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new PageError('it is not in UTF-8')
  }
}

function withTokens(id: CustomPageId, html: string): string {
  const tokens = requiredTokens[id]
  if (tokens.length > 0 && !tokens.some(token => html.includes(token)))
    throw new PageError(`it does not contain ${tokens.join(' or ')}, which ${id} needs`)
  // Each token becomes many times its own length, in every answer.
  const boxes = boxTokens.reduce((sum, token) => sum + html.split(token).length - 1, 0)
  if (boxes > customPageLimits.pageBoxesMax)
    throw new PageError(
      `it contains ${boxes} tokens such as ${tokens[0] ?? boxTokens[0]}; keep at most ${customPageLimits.pageBoxesMax}`,
    )
  return html
}
