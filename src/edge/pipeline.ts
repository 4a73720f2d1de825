import type { ServerResponse } from 'node:http'
import { answer, linger, pageContext } from './answer.ts'
import { type BodyParts, ClientBodyError } from './body-source.ts'
import { answerSolution, challengeFor, challengePath, isCleared } from './challenge/endpoint.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { forward } from './forward.ts'
import { type InspectionContext, inspectRequest } from './inspect-request.ts'
import { ResponseInspectionError, responseInspection } from './inspect-response.ts'
import { errorPage, ownBlockPage, type Page, type PageContext, type PageKind } from './pages.ts'
import { writeRecords } from './records/write.ts'
import type { RelayOutcome } from './relay.ts'
import type { RequestFault } from './request-faults.ts'
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
    return await decide(core, exchange, response, fault, upgrade)
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
  count(core, exchange)
  try {
    writeRecords(core, exchange)
  } catch (error) {
    core.counters.internalFailures++
    core.deps.logger.error({ err: error, rayId: exchange.rayId }, 'a request could not be recorded')
  }
}

function count({ counters }: EdgeCore, { ledger: { terminal, incomplete } }: Exchange): void {
  counters.active--
  if (terminal?.action === 'block' || terminal?.action === 'connectionClose') counters.blocked++
  else if (terminal !== undefined) counters.challenged++
  if (incomplete !== undefined) counters.incomplete[incomplete][terminal === undefined ? 'allow' : 'block']++
}

async function decide(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  fault: RequestFault | undefined,
  upgrade: string | undefined,
): Promise<Upgraded | undefined> {
  const page = (status: number, kind: PageKind, detail?: string) =>
    answer(core, exchange, response, errorPage(status, kind, pageContext(exchange), detail))
  if (fault !== undefined) {
    core.counters.malformed++
    await observe(core, exchange, exchange.body)
    // Where such a request ends is not to be trusted.
    response.shouldKeepAlive = false
    page(fault.status, fault.status === 400 ? 'bad-request' : 'refused', fault.reason)
    return undefined
  }
  if (exchange.plan === undefined) {
    core.counters.unknownHosts++
    page(404, 'unknown-host')
    return undefined
  }
  if (exchange.request.path === challengePath) {
    answer(core, exchange, response, await answerSolution(core, exchange))
    return undefined
  }
  const context = inspectionContext(core, exchange, exchange.body)
  const verdict = await inspectRequest(exchange.plan, context)
  if (verdict !== undefined) {
    enforce(core, exchange, response, verdict)
    return undefined
  }
  if (exchange.request.uri === '*') {
    answer(core, exchange, response, { status: 204, headers: [], body: '' })
    return undefined
  }
  const answers = await responseInspection(exchange.plan, context)
  if (answers.verdict !== undefined) {
    enforce(core, exchange, response, answers.verdict)
    return undefined
  }
  return settle(core, exchange, response, await forward(core, exchange, response, answers.inspector, upgrade))
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
  await inspectRequest(exchange.plan, inspectionContext(core, exchange, body))
  exchange.ledger.forgetActions()
}

function inspectionContext(
  core: EdgeCore,
  exchange: Exchange,
  body: BodyParts | undefined,
): InspectionContext {
  const { request, rayId, startedMs, ledger } = exchange
  return {
    request,
    rayId,
    startedMs,
    ledger,
    isCleared: () => isCleared(core, exchange),
    body,
    bodyBytesMax: core.limits.inspectedBodyBytesMax,
    onIncomplete: core.deps.onIncomplete,
    onEngineError: error => reportInternal(core, exchange, error),
  }
}

function enforce(
  core: EdgeCore,
  exchange: Exchange,
  response: ServerResponse,
  verdict: NonNullable<Verdict>,
): void {
  const context = pageContext(exchange)
  if (verdict.kind === 'action') {
    answer(core, exchange, response, mitigationPage(core, exchange, verdict, context))
    return
  }
  if (verdict.kind === 'incomplete') {
    if (verdict.reason === 'error') core.counters.internalFailures++
    answer(core, exchange, response, errorPage(500, 'internal', context))
    return
  }
  const { action, status, location } = verdict.interruption
  if (action === 'drop') {
    response.destroy()
    return
  }
  const blocked = errorPage(status >= 300 && status <= 599 ? status : 403, 'block', context)
  const page: Page =
    action === 'redirect' && location !== undefined
      ? { ...blocked, headers: [...blocked.headers, ['Location', visibleAscii(location)]] }
      : blocked
  answer(core, exchange, response, page)
}

function mitigationPage(
  core: EdgeCore,
  exchange: Exchange,
  { action, response }: Extract<Verdict, { kind: 'action' }>,
  context: PageContext,
): Page {
  if (response !== undefined) return ownBlockPage(response)
  return action === 'block' ? errorPage(403, 'block', context) : challengeFor(core, exchange, action, context)
}

/** A byte string as it may stand in a URI: other bytes escaped. */
function visibleAscii(bytes: string): string {
  return bytes.replace(/[^\x21-\x7e]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
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

function reportInternal({ deps }: EdgeCore, { rayId }: Exchange, error: unknown): void {
  deps.logger.error({ err: error, rayId }, 'a request could not be checked')
}
