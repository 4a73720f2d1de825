import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import type { ActionVerdict, UninspectedReason, Verdict } from '../exchange/verdict.ts'
import type { ClientResponse } from '../message/client-response.ts'
import { visibleAscii } from '../phases/redirect.ts'
import { answer, pageContext } from './answer.ts'
import { challengeFor } from './challenge.ts'
import type { Page, PageContext } from './page.ts'
import { errorPage, ownBlockPage, redirectPage } from './pages.ts'

/** Enforces a verdict: the edge answers, or closes the connection. */
export function enforce(
  core: EdgeCore,
  exchange: Exchange,
  response: ClientResponse,
  verdict: NonNullable<Verdict>,
): void {
  const page = pageFor(core, exchange.facts, verdict)
  if (page === undefined) response.destroy()
  else answer(core, exchange, response, page)
}

/** @returns undefined when the connection is closed without a response */
export function pageFor(
  core: EdgeCore,
  facts: RequestFacts,
  verdict: NonNullable<Verdict>,
): Page | undefined {
  const context = pageContext(core, facts)
  switch (verdict.kind) {
    case 'action':
      return mitigationPage(core, facts, verdict, context)
    case 'redirect':
      return redirectPage(verdict.status, verdict.location)
    case 'incomplete':
      if (verdict.reason === 'error') core.counters.internalFailures++
      return errorPage(500, 'internal', context)
    case 'uninspected': {
      const { status, reason, accepts } = refusals[verdict.reason]
      const page = errorPage(status, 'refused', context, reason)
      return { ...page, headers: [...page.headers, ...accepts], errorType: 'waf' }
    }
    case 'interrupt': {
      const { action, status, location } = verdict.interruption
      if (action === 'drop') return undefined
      const blocked = errorPage(status >= 300 && status <= 599 ? status : 403, 'block', context)
      if (action !== 'redirect' || location === undefined) return blocked
      return { ...blocked, headers: [...blocked.headers, ['Location', visibleAscii(location)]] }
    }
  }
}

const refusals: {
  readonly [R in UninspectedReason]: {
    readonly status: number
    readonly reason: string
    readonly accepts: Page['headers']
  }
} = {
  'too-long': { status: 413, reason: 'the request body is longer than this site accepts', accepts: [] },
  malformed: {
    status: 400,
    reason: 'the request body does not match its Content-Encoding',
    accepts: [],
  },
  // RFC 9110 15.5.16
  'unknown-coding': {
    status: 415,
    reason: 'this site does not accept the Content-Encoding of the request',
    accepts: [['Accept-Encoding', 'gzip, deflate, br, zstd']],
  },
}

function mitigationPage(
  core: EdgeCore,
  facts: RequestFacts,
  { action, response, retryAfterSec, page: kind }: ActionVerdict,
  context: PageContext,
): Page {
  if (action !== 'block') return challengeFor(core, facts, action, context)
  if (kind !== undefined) return errorPage(403, kind, context)
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
