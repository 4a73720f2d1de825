import type { EdgeCore } from '../core.ts'
import type { Exchange } from '../exchange.ts'
import type { PageContext } from '../pages.ts'
import { challengeAnswer, jsonPage, type Page } from '../pages.ts'
import { type ChallengeAction, solvedActions } from '../verdict.ts'
import { checkClearance, clearanceCookie, clearanceHeader, issueClearance } from './clearance.ts'
import { checkSolution, makePuzzle } from './proof-of-work.ts'
import type { Holder } from './signature.ts'

/** Reserved on every host: solutions of challenges are posted here. */
export const challengePath = '/.sluice/challenge'

/** 403 with a new puzzle for this client. */
export function challengeFor(
  core: EdgeCore,
  exchange: Exchange,
  action: ChallengeAction,
  context: PageContext,
): Page {
  const { challengeBits: bits, challengeSeconds } = core.limits
  const expiresSec = nowSec(core) + challengeSeconds
  const puzzle = makePuzzle(core.deps.clearanceKey, holderOf(exchange), { action, bits, expiresSec })
  return challengeAnswer(puzzle, action, context)
}

/** Does the client hold a clearance that is good for it here and now? */
export function isCleared(core: EdgeCore, exchange: Exchange): boolean {
  if (exchange.cleared) return true
  const holder = holderOf(exchange)
  for (const [name, value] of exchange.request.headers) {
    if (name.length !== 6 || name.toLowerCase() !== 'cookie') continue
    for (const pair of value.split(';')) {
      const equals = pair.indexOf('=')
      if (equals < 0 || pair.slice(0, equals).trim() !== clearanceCookie) continue
      if (checkClearance(core.deps.clearanceKey, holder, pair.slice(equals + 1).trim(), nowSec(core)))
        return true
    }
  }
  return false
}

/** Takes a solution (`token`, `number` as form fields) and answers with the clearance cookie. */
export async function answerSolution(core: EdgeCore, exchange: Exchange): Promise<Page> {
  if (exchange.request.method !== 'POST') return refusal(405, 'solutions of challenges are posted here')
  // A request that wants to upgrade has no body.
  if (exchange.body === undefined) return refusal(400, 'there is no solution in the request')
  const { bytes, complete } = await exchange.body.collect(core.limits.challengeBodyBytesMax)
  if (!complete) return refusal(413, 'the solution is too long')
  const form = new URLSearchParams(bytes.toString('latin1'))
  const token = form.get('token') ?? ''
  const holder = holderOf(exchange)
  const now = nowSec(core)
  const solution = checkSolution(core.deps.clearanceKey, holder, token, form.get('number') ?? '', now)
  if (!solution.ok) return refusal(403, solution.reason)
  if (!core.solved.add(token, solution.expiresSec, now))
    return refusal(403, 'the challenge was solved already')
  core.counters.challengesSolved++
  exchange.ledger.add({
    action: solvedActions[solution.action],
    ruleId: '',
    description: '',
    source: 'firewallManaged',
    rule: undefined,
    inspection: undefined,
  })
  const { clearanceSeconds } = core.limits
  const cookie = issueClearance(core.deps.clearanceKey, holder, now + clearanceSeconds)
  const page = jsonPage(200, { cleared: true })
  const setCookie = clearanceHeader(cookie, clearanceSeconds, exchange.request.scheme === 'https')
  return { ...page, headers: [...page.headers, ['Set-Cookie', setCookie]] }
}

function refusal(status: number, message: string): Page {
  return jsonPage(status, { status, error: 'challenge', message })
}

function holderOf({ plan, request }: Exchange): Holder {
  return { zoneId: plan!.zone.id, clientIp: request.clientIp, userAgent: request.header('user-agent') ?? '' }
}

function nowSec(core: EdgeCore): number {
  return Math.floor(core.deps.clock.nowMs() / 1000)
}
