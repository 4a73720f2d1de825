import type { ServerResponse } from 'node:http'
import { answer, pageContext } from './answer.ts'
import { challengeFor } from './challenge/endpoint.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { errorPage, ownBlockPage, type Page, type PageContext, redirectPage } from './pages.ts'
import { visibleAscii } from './phases/redirect.ts'
import type { ActionVerdict, Verdict } from './verdict.ts'

/** Does to a request what the rules want: an answer of the edge's own, or none at all. */
export function enforce(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  verdict: NonNullable<Verdict>,
): void {
  const page = pageFor(core, exchange, verdict)
  if (page === undefined) response.destroy()
  else answer(core, exchange, response, page)
}

/** Undefined when the connection is to be dropped. */
export function pageFor(core: EdgeCore, exchange: Exchange, verdict: NonNullable<Verdict>): Page | undefined {
  const context = pageContext(exchange)
  switch (verdict.kind) {
    case 'action':
      return mitigationPage(core, exchange, verdict, context)
    case 'redirect':
      return redirectPage(verdict.status, verdict.location)
    case 'incomplete':
      if (verdict.reason === 'error') core.counters.internalFailures++
      return errorPage(500, 'internal', context)
    case 'interrupt': {
      const { action, status, location } = verdict.interruption
      if (action === 'drop') return undefined
      const blocked = errorPage(status >= 300 && status <= 599 ? status : 403, 'block', context)
      if (action !== 'redirect' || location === undefined) return blocked
      return { ...blocked, headers: [...blocked.headers, ['Location', visibleAscii(location)]] }
    }
  }
}

function mitigationPage(
  core: EdgeCore,
  exchange: Exchange,
  { action, response, retryAfterSec }: ActionVerdict,
  context: PageContext,
): Page {
  if (action !== 'block') return challengeFor(core, exchange, action, context)
  const limited = retryAfterSec !== undefined
  const page =
    response !== undefined
      ? ownBlockPage(response)
      : errorPage(limited ? 429 : 403, limited ? 'rate-limited' : 'block', context)
  if (!limited) return { ...page, errorType: 'waf' }
  return {
    ...page,
    headers: [...page.headers, ['Retry-After', String(retryAfterSec)]],
    errorType: 'ratelimit',
  }
}
