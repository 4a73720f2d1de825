import { clearanceHeader, issueClearance } from '../challenge/clearance.ts'
import { type ChallengeAction, checkSolution, makePuzzle } from '../challenge/proof-of-work.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { RequestParts } from '../exchange/exchange.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { solvedActions } from '../exchange/verdict.ts'
import type { Collected } from '../message/body-source.ts'
import type { Page, PageContext } from './page.ts'
import { challengeAnswer, jsonPage } from './pages.ts'

/** 403 with a new puzzle for this client. */
export function challengeFor(
  core: EdgeCore,
  { holder }: RequestFacts,
  action: ChallengeAction,
  context: PageContext,
): Page {
  const { challengeBits: bits, challengeSeconds } = core.limits
  const expiresSec = nowSec(core) + challengeSeconds
  const puzzle = makePuzzle(core.deps.clearanceKey, holder, { action, bits, expiresSec })
  return challengeAnswer(puzzle, action, context)
}

/** Checks a solution (`token`, `number` as form fields) and answers with the clearance cookie. */
export async function answerSolution(core: EdgeCore, { facts, decisions }: RequestParts): Promise<Page> {
  const { request, body, holder } = facts
  if (request.method !== 'POST') return refusal(405, 'use POST to send a solution')
  const { bytes, complete } =
    body === undefined ? nothingSent : await body.collect(core.limits.challengeBodyBytesMax)
  if (!complete) return refusal(413, 'the solution is too long')
  const form = new URLSearchParams(bytes.toString('latin1'))
  const token = form.get('token') ?? ''
  const now = nowSec(core)
  const solution = checkSolution(core.deps.clearanceKey, holder, token, form.get('number') ?? '', now)
  if (!solution.ok) return refusal(403, solution.reason)
  if (!(await isFirst(core, token))) return refusal(403, 'the challenge was already solved')
  core.counters.challengesSolved++
  decisions.add({
    action: solvedActions[solution.action],
    ruleId: '',
    description: '',
    source: 'firewallManaged',
    rule: undefined,
    inspection: undefined,
  })
  const clearanceSeconds = facts.plan?.settings.challengeSeconds ?? core.limits.clearanceSeconds
  const cookie = issueClearance(core.deps.clearanceKey, holder, now + clearanceSeconds)
  const page = jsonPage(200, { cleared: true })
  const setCookie = clearanceHeader(cookie, clearanceSeconds, request.scheme === 'https')
  return { ...page, headers: [...page.headers, ['Set-Cookie', setCookie]] }
}

/** Whether no edge that counts with this one knows a solution of the challenge. It can be solved for no longer than that. */
async function isFirst({ deps, limits }: EdgeCore, token: string): Promise<boolean> {
  const once = { periodMs: limits.challengeSeconds * 1000, max: 1, mitigationMs: 0 }
  const { limited } = await deps.rateCounters.count(`solved ${token}`, 1, once, deps.clock.nowMs())
  return !limited
}

const nothingSent: Collected = { bytes: Buffer.alloc(0), complete: true }

function refusal(status: number, message: string): Page {
  return jsonPage(status, { status, error: 'challenge', message })
}

function nowSec({ deps }: EdgeCore): number {
  return Math.floor(deps.clock.nowMs() / 1000)
}
