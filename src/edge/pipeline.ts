import type { ServerResponse } from 'node:http'
import { answer, linger, pageContext } from './answer.ts'
import { type BodyParts, ClientBodyError } from './body-source.ts'
import { answerSolution, challengePath } from './challenge/endpoint.ts'
import type { EdgeCore } from './core.ts'
import { enforce, pageFor } from './enforce.ts'
import type { Exchange } from './exchange.ts'
import { forward } from './forward.ts'
import { ResponseInspectionError, type ResponseInspector, responseInspection } from './inspect-response.ts'
import { forgetRequest } from './kept-request.ts'
import { errorPage, type Page, type PageKind } from './pages.ts'
import { encryptPayloads } from './payload.ts'
import { readBodyForExpressions } from './phases/expression-body.ts'
import { runRequestPhases } from './phases/request-phases.ts'
import { writeRecords } from './records/write.ts'
import type { RelayOutcome } from './relay.ts'
import { reportInternal } from './report.ts'
import type { RequestFault } from './request-faults.ts'
import { finishSample } from './sample.ts'
import { finishShadow } from './shadow.ts'
import { inSlices } from './slices.ts'
import type { Verdict } from './verdict.ts'

/** What is left to do for an upgrade that the origin agreed to. */
export type Upgraded = Extract<RelayOutcome, { readonly kind: 'upgraded' }>

/**
 * Takes one request through its phases to an answer. Never throws: what goes wrong inside is refused with 500.
 * @param upgrade protocol that the client wants to switch to
 * @returns the origin's side of an upgraded connection
 */
export async function run(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  fault: RequestFault | undefined,
  upgrade?: string,
): Promise<Upgraded | undefined> {
  response.once('finish', () => void linger(core, exchange, response))
  try {
    const decision = await decide(core, exchange, fault)
    // Where a request that breaks the rules of HTTP ends is not to be trusted.
    if (fault !== undefined) response.shouldKeepAlive = false
    return await carryOut(core, exchange, response, decision, upgrade)
  } catch (error) {
    if (error instanceof ClientBodyError) answerBodyError(core, exchange, response, error)
    else answerInternal(core, exchange, response, error)
    return undefined
  }
}

/**
 * The request has ended, however it did, and `run` with it: rules of the logging phase run and the records are written.
 * Never throws.
 */
export async function finish(core: EdgeCore, exchange: Exchange): Promise<void> {
  const { ledger } = exchange
  for (const inspection of ledger.inspections) {
    if (inspection.broken) continue
    try {
      const logging = inSlices(inspection.transaction.logging())
      if (logging instanceof Promise) await logging
    } catch (error) {
      ledger.incomplete ??= 'error'
      reportInternal(core, exchange, error)
    }
  }
  const endedMs = core.deps.clock.nowMs()
  // Still counted as active: an edge that closes waits for it.
  if (exchange.shadow !== undefined) await finishShadow(core, exchange)
  const encrypting = encryptPayloads(core, exchange)
  if (encrypting !== undefined) await encrypting
  count(core, exchange)
  try {
    writeRecords(core, exchange, endedMs)
  } catch (error) {
    core.counters.internalFailures++
    core.deps.logger.error({ err: error, rayId: exchange.rayId }, 'a request could not be recorded')
  }
  if (exchange.sample !== undefined) await finishSample(core, exchange)
  if (exchange.kept !== undefined) forgetRequest(core, exchange)
  core.counters.active--
}

function count({ counters }: EdgeCore, { ledger: { terminal, incomplete } }: Exchange): void {
  if (terminal?.action === 'block' || terminal?.action === 'connectionClose') counters.blocked++
  else if (terminal !== undefined) counters.challenged++
  if (incomplete !== undefined) counters.incomplete[incomplete][terminal === undefined ? 'allow' : 'block']++
}

/** What becomes of a request once its rules have run. */
export type Decision =
  | { readonly kind: 'answer'; readonly page: Page }
  /** The connection is closed without an answer. */
  | { readonly kind: 'drop' }
  /** The origin is asked. */
  | { readonly kind: 'forward'; readonly inspector: ResponseInspector | undefined }

/**
 * Runs everything that comes before the origin. Answers nobody yet.
 * @throws ClientBodyError; what an expression throws, which is a mistake of ours
 */
export async function decide(
  core: EdgeCore,
  exchange: Exchange,
  fault: RequestFault | undefined,
): Promise<Decision> {
  const page = (status: number, kind: PageKind, detail?: string): Decision => ({
    kind: 'answer',
    page: errorPage(status, kind, pageContext(exchange), detail),
  })
  if (fault !== undefined) {
    core.counters.malformed++
    await observe(core, exchange, exchange.body)
    return page(fault.status, fault.status === 400 ? 'bad-request' : 'refused', fault.reason)
  }
  if (exchange.plan === undefined) {
    core.counters.unknownHosts++
    return page(404, 'unknown-host')
  }
  if (exchange.request.path === challengePath)
    return { kind: 'answer', page: await answerSolution(core, exchange) }
  const { plan } = exchange
  const context = { core, exchange, body: exchange.body }
  const verdict = await runRequestPhases(plan, context)
  if (verdict !== undefined) return decisionOf(core, exchange, verdict)
  if (exchange.request.uri === '*') return { kind: 'answer', page: { status: 204, headers: [], body: '' } }
  // What expressions ask of the body when the answer is there has to be kept now.
  if (plan.responseHeaders?.readsBody || plan.response?.readsBody) await readBodyForExpressions(context)
  const answers = await responseInspection(plan.response, context)
  if (answers.verdict !== undefined) return decisionOf(core, exchange, answers.verdict)
  return { kind: 'forward', inspector: answers.inspector }
}

function decisionOf(core: EdgeCore, exchange: Exchange, verdict: NonNullable<Verdict>): Decision {
  const page = pageFor(core, exchange, verdict)
  return page === undefined ? { kind: 'drop' } : { kind: 'answer', page }
}

async function carryOut(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  decision: Decision,
  upgrade: string | undefined,
): Promise<Upgraded | undefined> {
  switch (decision.kind) {
    case 'answer':
      answer(core, exchange, response, decision.page)
      return undefined
    case 'drop':
      response.destroy()
      return undefined
    case 'forward':
      return settle(
        core,
        exchange,
        response,
        await forward(core, exchange, response, decision.inspector, upgrade),
      )
  }
}

/**
 * Runs the rules for the record alone: the request is refused whatever they say.
 * @param body as far as it could be read
 */
export async function observe(
  core: EdgeCore,
  exchange: Exchange,
  body: BodyParts | undefined,
): Promise<void> {
  if (exchange.plan === undefined) return
  await runRequestPhases(exchange.plan, { core, exchange, body })
  exchange.ledger.forgetActions()
}

function settle(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  outcome: RelayOutcome,
): Upgraded | undefined {
  if (outcome.kind === 'upgraded') return outcome
  if (outcome.kind === 'refused') enforce(core, exchange, response, outcome.verdict)
  if (outcome.kind === 'failed') answerFailure(core, exchange, response, outcome.error)
  return undefined
}

/** The origin failed, or the client while it was sending its body. */
function answerFailure(core: EdgeCore, exchange: Exchange, response: ServerResponse, error: Error): void {
  if (error instanceof ClientBodyError) {
    answerBodyError(core, exchange, response, error)
    return
  }
  if (error instanceof ResponseInspectionError) {
    answerInternal(core, exchange, response, error)
    return
  }
  core.counters.originFailures++
  const { code } = error as NodeJS.ErrnoException
  const zone = exchange.plan!.zone.name
  core.deps.logger.warn(
    { rayId: exchange.rayId, zone, code, reason: error.message },
    'the origin did not answer',
  )
  if (response.headersSent) {
    // The client must see that the answer is not whole.
    response.destroy()
    return
  }
  const slow =
    code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT'
  const page = errorPage(slow ? 504 : 502, slow ? 'origin-slow' : 'origin-unreachable', pageContext(exchange))
  answer(core, exchange, response, page)
}

function answerBodyError(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  error: ClientBodyError,
): void {
  response.shouldKeepAlive = false
  if (error.code === 'aborted' || response.headersSent) {
    response.destroy()
    return
  }
  core.counters.malformed++
  const context = pageContext(exchange)
  const page =
    error.code === 'timeout'
      ? errorPage(408, 'body-timeout', context)
      : errorPage(400, 'bad-request', context, 'the request body breaks the rules of HTTP')
  answer(core, exchange, response, page)
}

/** A mistake of ours while checking: nothing is let through unchecked. */
function answerInternal(core: EdgeCore, exchange: Exchange, response: ServerResponse, error: unknown): void {
  core.counters.internalFailures++
  reportInternal(core, exchange, error)
  if (response.headersSent) response.destroy()
  else answer(core, exchange, response, errorPage(500, 'internal', pageContext(exchange)))
}
