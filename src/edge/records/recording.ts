import type { ShadowFinding } from '../exchange/background-port.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { Exchange, RequestParts } from '../exchange/exchange.ts'
import { reportInternal } from '../exchange/report.ts'
import { inSlices } from '../exchange/slices.ts'
import type { ClientResponse } from '../message/client-response.ts'
import type { HeaderLines } from '../message/headers.ts'
import { writeEvents, writeRequest } from './write.ts'

/** Ends a response once its record survives the death of this process. Never rejects. */
export async function endRecorded(
  core: EdgeCore,
  exchange: Exchange,
  response: ClientResponse,
  trailers: HeaderLines = [],
): Promise<void> {
  response.prepareEnd(trailers)
  await record(core, exchange)
  await core.deps.records.handedOver()
  response.end()
  endWithClient(response, core.limits.bodyIdleTimeoutMs)
}

/** Cuts off a client that does not read the end of its response in time. */
function endWithClient(response: ClientResponse, timeoutMs: number): void {
  if (response.destroyed || !response.isBackedUp) return
  const timer = setTimeout(() => response.destroy(), timeoutMs)
  response.events.once('close', () => clearTimeout(timer))
}

/**
 * Runs the rules of the logging phase and writes the records, once, when the response is complete or will not continue.
 * Events may wait for background work; the response does not. Never throws.
 */
export function record(core: EdgeCore, exchange: Exchange): Promise<void> {
  exchange.recording ??= recordNow(core, exchange)
  return exchange.recording
}

async function recordNow(core: EdgeCore, exchange: Exchange): Promise<void> {
  if (exchange.decisions.inspections.length > 0) await runLogging(core, exchange)
  const { background, deps } = core
  const endedMs = deps.clock.nowMs()
  if (deps.auditLog?.mode === 'all') await workOutData(core, exchange)
  const preparing = background.beforeRecord(exchange)
  if (preparing !== undefined) await preparing
  const texts = guarded(core, exchange, () => writeRequest(core, exchange, endedMs))
  const events = (shadow: ShadowFinding | undefined) =>
    guarded(core, exchange, () => writeEvents(core, exchange, endedMs, texts, shadow))
  const waiting = background.beforeEvents(exchange)
  if (waiting === undefined) events(undefined)
  else exchange.lateEvents = waiting.then(events)
}

async function runLogging(core: EdgeCore, { facts, decisions }: RequestParts): Promise<void> {
  const { zoneId, client } = facts
  for (const inspection of decisions.inspections) {
    if (inspection.broken) continue
    try {
      const logging = inSlices(inspection.transaction.logging(), { zoneId, client }, decisions)
      if (logging instanceof Promise) await logging
    } catch (error) {
      decisions.incomplete ??= 'error'
      reportInternal(core, facts, error)
    }
  }
}

/** Computes the data of matches for records and traces, in slices. Never throws. */
export async function workOutData(core: EdgeCore, { facts, decisions }: RequestParts): Promise<void> {
  const { zoneId, client } = facts
  for (const { broken, transaction } of decisions.inspections) {
    if (broken) continue
    try {
      const working = inSlices(transaction.workOutData(), { zoneId, client })
      if (working instanceof Promise) await working
    } catch (error) {
      reportInternal(core, facts, error)
    }
  }
}

function guarded<Result>(core: EdgeCore, { facts }: Exchange, write: () => Result): Result | undefined {
  try {
    return write()
  } catch (error) {
    core.counters.internalFailures++
    core.deps.logger.error({ err: error, rayId: facts.rayId }, 'a request could not be recorded')
    return undefined
  }
}
