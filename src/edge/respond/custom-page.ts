import { STATUS_CODES } from 'node:http'
import { escapeHtml } from '../../kit/html.ts'
import type { BoxToken, CustomPageId, ValueToken } from '../../model/custom-page.ts'
import type { PageParts } from '../../rulesets/plan/plan.ts'
import type { ChallengeAction } from '../challenge/proof-of-work.ts'
import type { Page, PageContext } from './page.ts'

/** The page of a challenge, by the action. @source Cloudflare docs, "Error page types" */
export const challengePages: { readonly [A in ChallengeAction]: CustomPageId } = {
  challenge: 'basic_challenge',
  js_challenge: 'under_attack',
  managed_challenge: 'managed_challenge',
}

/**
 * The owner's page in place of one of the edge's own. Its scripts and styles are the owner's, so it has no policy for
 * them; only other sites may not show it in a frame.
 * @param box HTML for its box: the challenge, or the error
 * @returns undefined when the site has no such page
 */
export function customPage(
  status: number,
  id: CustomPageId,
  context: PageContext,
  box: string,
): Page | undefined {
  const parts = context.customPages.get(id)
  if (parts === undefined) return undefined
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Cache-Control', 'private, no-store'],
      ['Content-Security-Policy', "frame-ancestors 'self'"],
      ['Referrer-Policy', 'same-origin'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: filled(parts, context, box),
  }
}

/** The text of a page with the values of its tokens. */
export function filled(parts: PageParts, context: PageContext, box = ''): string {
  return parts.map((part, at) => (at % 2 === 0 ? part : replaced(part as Token, context, box))).join('')
}

type Token = BoxToken | ValueToken

function replaced(token: Token, { clientIp, country, rayId }: PageContext, box: string): string {
  switch (token) {
    case '::CLIENT_IP::':
      return escapeHtml(clientIp)
    case '::RAY_ID::':
      return escapeHtml(rayId)
    case '::GEO::':
      return escapeHtml(country())
    default:
      return box
  }
}

/** The box of an error. Style sheets for Cloudflare's pages know its class. */
export function errorBox(status: number, title: string, explanation: string, rayId: string): string {
  return `<div class="cf-error-details">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(explanation)}</p>
<p>${status} ${escapeHtml(STATUS_CODES[status] ?? '')} &middot; Ray ID <code>${escapeHtml(rayId)}</code></p>
</div>`
}
