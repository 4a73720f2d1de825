import { STATUS_CODES } from 'node:http'
import { escapeHtml } from '../../kit/html.ts'
import type { CustomPageId } from '../../model/custom-page.ts'
import type { BlockResponse } from '../../rulesets/plan/plan.ts'
import type { ChallengeAction, Puzzle } from '../challenge/proof-of-work.ts'
import type { CheckPage } from '../exchange/verdict.ts'
import { prefersJson } from './accept.ts'
import { challengeBox, challengePage, solverHash } from './challenge-page.ts'
import { challengePages, customPage, errorBox } from './custom-page.ts'
import { pageDocument, styleHash } from './html.ts'
import type { Page, PageContext } from './page.ts'

export type PageKind =
  | 'block'
  | CheckPage
  | 'rate-limited'
  | 'unknown-host'
  | 'origin-unreachable'
  | 'origin-slow'
  | 'no-origin'
  | 'loop'
  | 'overloaded'
  | 'bad-request'
  | 'body-timeout'
  | 'refused'
  | 'internal'

const texts: { readonly [K in PageKind]: { readonly title: string; readonly text: string } } = {
  block: {
    title: 'This request was blocked',
    text: 'A security rule of this site blocked the request. If you think that this is a mistake, contact the owner of the site and give them the Ray ID.',
  },
  'ip-block': {
    title: 'Access denied',
    text: 'This site accepts no requests from your address. If you think that this is a mistake, contact the owner of the site and give them the Ray ID.',
  },
  'network-block': {
    title: 'Access denied',
    text: 'This site accepts no requests from your network. If you think that this is a mistake, contact the owner of the site and give them the Ray ID.',
  },
  'country-block': {
    title: 'Access denied',
    text: 'This site accepts no requests from your country. If you think that this is a mistake, contact the owner of the site and give them the Ray ID.',
  },
  'locked-down': {
    title: 'Access denied',
    text: 'Only some addresses may open this part of the site. If you think that this is a mistake, contact the owner of the site and give them the Ray ID.',
  },
  'browser-block': {
    title: 'Access denied',
    text: 'This site accepts no requests from your browser or program. If you think that this is a mistake, contact the owner of the site and give them the Ray ID.',
  },
  hotlink: {
    title: 'Access denied',
    text: 'Pages of other sites may not show this file. If you think that this is a mistake, contact the owner of the site and give them the Ray ID.',
  },
  'rate-limited': {
    title: 'Too many requests',
    text: 'You have sent more requests than this site allows in a period. Please try again later.',
  },
  'unknown-host': { title: 'Site not found', text: 'This server has no site with this name.' },
  'origin-unreachable': {
    title: 'The site does not respond',
    text: 'The server behind this site is unreachable or broke the connection. Please try again in a moment.',
  },
  'origin-slow': {
    title: 'The site is too slow',
    text: 'The server behind this site did not respond in time. Please try again in a moment.',
  },
  'no-origin': {
    title: 'This site has no origin',
    text: 'No server is set for this host name. The owner of the site can add a proxied DNS record for it, or set the origin of the zone.',
  },
  loop: {
    title: 'Request loop detected',
    text: 'This request has already passed this server: the origin of this site leads back to the edge in front of it.',
  },
  overloaded: {
    title: 'The site is busy',
    text: 'This site has more requests than it can handle. Please try again in a moment.',
  },
  'bad-request': { title: 'Invalid request', text: 'The request breaks the rules of HTTP.' },
  'body-timeout': {
    title: 'The request took too long',
    text: 'The rest of the request did not arrive in time.',
  },
  refused: {
    title: 'The request was refused',
    text: 'This site does not support the request.',
  },
  internal: {
    title: 'Internal error',
    text: 'The request could not be checked, so it was refused.',
  },
}

/**
 * An error page, HTML or JSON by `Accept`.
 * @param detail replaces the explanation
 */
export function errorPage(status: number, kind: PageKind, context: PageContext, detail?: string): Page {
  const { text } = texts[kind]
  const explanation = detail === undefined ? text : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`
  const about = {
    errorType: errorTypes[kind] ?? (status >= 500 ? '5xx' : ''),
    errorCode: errorCodes[kind] ?? 0,
  }
  if (prefersJson(context.accept)) {
    const error = kind.replaceAll('-', '_')
    const page = jsonPage(status, { status, error, message: explanation, ray_id: context.rayId })
    return { ...page, ...about }
  }
  const own = customErrorPage(status, kind, context, explanation)
  if (own !== undefined) return { ...own, ...about }
  return {
    ...htmlPage(status, errorDocument(status, kind, detail, explanation, context.rayId), errorPolicy),
    ...about,
  }
}

/** @source Cloudflare docs, "Error pages": 500, 501, 503 and 505 have no custom page */
const customErrorPages: { readonly [K in PageKind]?: CustomPageId } = {
  block: 'waf_block',
  'ip-block': 'ip_block',
  'network-block': 'ip_block',
  'country-block': 'ip_block',
  'locked-down': '1000_errors',
  'browser-block': '1000_errors',
  hotlink: '1000_errors',
  'rate-limited': 'ratelimit_block',
  'origin-unreachable': '500_errors',
  'origin-slow': '500_errors',
  'no-origin': '1000_errors',
  loop: '1000_errors',
}

function customErrorPage(
  status: number,
  kind: PageKind,
  context: PageContext,
  explanation: string,
): Page | undefined {
  const id = customErrorPages[kind]
  if (id === undefined || !context.customPages.has(id)) return undefined
  return customPage(status, id, context, errorBox(status, texts[kind].title, explanation, context.rayId))
}

const errorPolicy = `style-src ${styleHash}`

/** Documents without a detail, split at their Ray ID. A flood of attacks needs the same document again and again. */
const knownDocuments = new Map<string, readonly [before: string, after: string]>()

function errorDocument(
  status: number,
  kind: PageKind,
  detail: string | undefined,
  explanation: string,
  rayId: string,
): string {
  if (detail !== undefined) return makeDocument(status, kind, explanation).join(escapeHtml(rayId))
  const key = `${status} ${kind}`
  let known = knownDocuments.get(key)
  if (known === undefined) {
    known = makeDocument(status, kind, explanation)
    knownDocuments.set(key, known)
  }
  return known.join(escapeHtml(rayId))
}

function makeDocument(
  status: number,
  kind: PageKind,
  explanation: string,
): readonly [before: string, after: string] {
  const { title } = texts[kind]
  const mark = '\0'
  const body = `<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(explanation)}</p>
<footer>${status} ${escapeHtml(STATUS_CODES[status] ?? '')} &middot; Ray ID <code>${mark}</code></footer>
</main>`
  const [before, after] = pageDocument(title, body).split(mark) as [string, string]
  return [before, after]
}

/** @source Cloudflare's field reference, `cf.response.error_type` */
const errorTypes: { readonly [K in PageKind]?: string } = {
  block: 'waf',
  'ip-block': 'ip_ban',
  'network-block': 'ip_ban',
  'country-block': 'ip_ban',
  'locked-down': '1xxx',
  'browser-block': '1xxx',
  hotlink: '1xxx',
  'rate-limited': 'ratelimit',
  'no-origin': '1xxx',
  loop: '1xxx',
}

/** @source Cloudflare docs, "Cloudflare 1xxx errors" */
const errorCodes: { readonly [K in PageKind]?: number } = {
  block: 1020,
  'ip-block': 1006,
  'network-block': 1005,
  'country-block': 1009,
  'locked-down': 1106,
  'browser-block': 1010,
  hotlink: 1011,
  'rate-limited': 1015,
  'no-origin': 1016,
  loop: 1000,
}

const challengeTypes: { readonly [A in ChallengeAction]: string } = {
  managed_challenge: 'managed_challenge',
  js_challenge: 'iuam',
  challenge: 'legacy_challenge',
}

/** Redirects the client. */
export function redirectPage(status: number, location: string): Page {
  return { status, headers: [['Location', location]], body: '' }
}

/** 403 with a puzzle. JSON clients cannot solve it and receive the name of the action. */
export function challengeAnswer(puzzle: Puzzle, action: ChallengeAction, context: PageContext): Page {
  const mitigated = ['cf-mitigated', 'challenge'] as const
  if (prefersJson(context.accept)) {
    const message = 'Only a browser that passes a challenge may send this request.'
    const page = jsonPage(403, { status: 403, error: action, message, ray_id: context.rayId })
    return { ...page, headers: [...page.headers, mitigated], errorType: challengeTypes[action] }
  }
  const own = customPage(403, challengePages[action], context, challengeBox(puzzle, action))
  if (own !== undefined)
    return { ...own, headers: [...own.headers, mitigated], errorType: challengeTypes[action] }
  const policy = `style-src ${styleHash}; script-src ${solverHash}; connect-src 'self'`
  const page = htmlPage(403, challengePage(puzzle, action, context.host, context.rayId), policy)
  return { ...page, headers: [...page.headers, mitigated], errorType: challengeTypes[action] }
}

/** The custom response of a `block` rule, independent of `Accept`. */
export function ownBlockPage({ status, content, contentType }: BlockResponse): Page {
  return {
    status,
    headers: [
      ['Content-Type', `${contentType}; charset=utf-8`],
      ['Cache-Control', 'private, no-store'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: content,
    isChosen: true,
  }
}

export function jsonPage(status: number, value: object): Page {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'private, no-store'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: JSON.stringify(value),
  }
}

function htmlPage(status: number, body: string, policy: string): Page {
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Cache-Control', 'private, no-store'],
      [
        'Content-Security-Policy',
        // No form-action: a reload of the page has to send the form that led to it.
        `default-src 'none'; ${policy}; base-uri 'none'; frame-ancestors 'self'`,
      ],
      ['Referrer-Policy', 'same-origin'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body,
  }
}
