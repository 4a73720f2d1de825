import type { CustomError } from '../phases/custom-errors.ts'
import { filled } from './custom-page.ts'
import type { Page, PageContext } from './page.ts'

/** The page that a custom error rule serves. The other headers of the response stay. */
export function servedPage({ head, effect, content }: CustomError, context: PageContext): Page {
  const { status = head.status, contentType } = effect
  const { headers, rawHeaders, errorType, errorCode } = head
  const isOwn = headers === rawHeaders
  const replaced = isOwn ? ofOwnBody : ofBody
  return {
    status,
    headers: [
      ...headers.filter(([name]) => !replaced.has(name.toLowerCase())),
      ['Content-Type', `${contentType}; charset=utf-8`],
    ],
    body: filled(content, context),
    errorType,
    errorCode,
    isChosen: true,
    ...(isOwn ? {} : { rawHeaders }),
  }
}

/** Headers about a body (RFC 9110 8, RFC 9530), and Ray-ID, which the sender of a page adds. In lower case. */
const ofBody: ReadonlySet<string> = new Set([
  'content-digest',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'digest',
  'etag',
  'last-modified',
  'ray-id',
  'repr-digest',
  'trailer',
  'transfer-encoding',
])

/** The edge's own policy allows nothing but its own page. */
const ofOwnBody: ReadonlySet<string> = new Set([...ofBody, 'content-security-policy'])
