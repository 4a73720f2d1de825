import { STATUS_CODES } from 'node:http'
import { escapeHtml } from '../kit/html.ts'
import type { BlockResponse } from '../rulesets/plan.ts'
import { prefersJson } from './accept.ts'
import { challengePage, solverHash } from './challenge/page.ts'
import type { Puzzle } from './challenge/proof-of-work.ts'
import { pageDocument, styleHash } from './html.ts'
import type { ChallengeAction } from './verdict.ts'

/** A whole answer of the edge's own. */
export interface Page {
  readonly status: number
  /** Without Content-Length and Ray-ID, which the sender adds. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** What expressions call the reason of an answer of the edge's own; see `ResponseView.errorType`. */
  readonly errorType?: string
}

export type PageKind =
  | 'block'
  | 'rate-limited'
  | 'unknown-host'
  | 'origin-unreachable'
  | 'origin-slow'
  | 'bad-request'
  | 'body-timeout'
  | 'refused'
  | 'internal'

const texts: { readonly [K in PageKind]: { readonly title: string; readonly text: string } } = {
  block: {
    title: 'This request was blocked',
    text: 'A security rule of this site stopped the request. If you think that is a mistake, tell the owner of the site and give them the Ray ID.',
  },
  'rate-limited': {
    title: 'Too many requests',
    text: 'You have sent more requests than this site takes in a while. Please try again later.',
  },
  'unknown-host': { title: 'No such site', text: 'No site of this name is served here.' },
  'origin-unreachable': {
    title: 'The site does not answer',
    text: 'The server behind this site could not be reached, or broke off. Please try again in a moment.',
  },
  'origin-slow': {
    title: 'The site takes too long',
    text: 'The server behind this site did not answer in time. Please try again in a moment.',
  },
  'bad-request': { title: 'This request cannot be read', text: 'The request breaks the rules of HTTP.' },
  'body-timeout': {
    title: 'The request took too long',
    text: 'The rest of the request did not arrive in time.',
  },
  refused: {
    title: 'The request was refused',
    text: 'The request asks for something that is not possible here.',
  },
  internal: {
    title: 'Something went wrong',
    text: 'The request could not be checked, so it was not let through.',
  },
}

export interface PageContext {
  readonly accept: string | undefined
  readonly rayId: string
  /** Text. */
  readonly host: string
}

/**
 * An error page, HTML or JSON by `Accept`.
 * @param detail replaces the explanation
 */
export function errorPage(status: number, kind: PageKind, context: PageContext, detail?: string): Page {
  const { title, text } = texts[kind]
  const explanation = detail === undefined ? text : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`
  const errorType = errorTypes[kind] ?? (status >= 500 ? '5xx' : '')
  if (prefersJson(context.accept)) {
    const error = kind.replaceAll('-', '_')
    const page = jsonPage(status, { status, error, message: explanation, ray_id: context.rayId })
    return { ...page, errorType }
  }
  const body = `<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(explanation)}</p>
<footer>${status} ${escapeHtml(STATUS_CODES[status] ?? '')} · Ray ID <code>${escapeHtml(context.rayId)}</code></footer>
</main>`
  return { ...htmlPage(status, pageDocument(title, body), `style-src ${styleHash}`), errorType }
}

/** @source Cloudflare's field reference, `cf.response.error_type` */
const errorTypes: { readonly [K in PageKind]?: string } = { block: 'waf', 'rate-limited': 'ratelimit' }

const challengeTypes: { readonly [A in ChallengeAction]: string } = {
  managed_challenge: 'managed_challenge',
  js_challenge: 'iuam',
  challenge: 'legacy_challenge',
}

/** Sends the client elsewhere. */
export function redirectPage(status: number, location: string): Page {
  return { status, headers: [['Location', location]], body: '' }
}

/** 403 with a puzzle; JSON clients, which cannot solve it, get the name of the action. */
export function challengeAnswer(puzzle: Puzzle, action: ChallengeAction, context: PageContext): Page {
  const mitigated = ['cf-mitigated', 'challenge'] as const
  if (prefersJson(context.accept)) {
    const message = 'This request needs a browser that passes a challenge.'
    const page = jsonPage(403, { status: 403, error: action, message, ray_id: context.rayId })
    return { ...page, headers: [...page.headers, mitigated], errorType: challengeTypes[action] }
  }
  const policy = `style-src ${styleHash}; script-src ${solverHash}; connect-src 'self'`
  const page = htmlPage(403, challengePage(puzzle, action, context.host, context.rayId), policy)
  return { ...page, headers: [...page.headers, mitigated], errorType: challengeTypes[action] }
}

/** The answer that a `block` rule brings itself, whatever the client accepts. */
export function ownBlockPage({ status, content, contentType }: BlockResponse): Page {
  return {
    status,
    headers: [
      ['Content-Type', `${contentType}; charset=utf-8`],
      ['Cache-Control', 'private, no-store'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: content,
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
        // No form-action: loading the page again has to send the form that led to it.
        `default-src 'none'; ${policy}; base-uri 'none'; frame-ancestors 'self'`,
      ],
      ['Referrer-Policy', 'same-origin'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body,
  }
}
