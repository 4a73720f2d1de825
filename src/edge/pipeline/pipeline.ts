import type { ServerResponse } from 'node:http'
import type { Exchange } from '../exchange/exchange.ts'
import { forward } from '../origin/forward.ts'
import type { RelayOutcome } from '../origin/relay.ts'
import { record } from '../records/recording.ts'
import { answer, linger } from '../respond/answer.ts'
import { enforce } from '../respond/enforce.ts'
import { type Decision, decide, type PipelineCore } from './decide.ts'
import { answerFailure, answerOriginFailure, answerOverload } from './failures.ts'

/** An upgrade that the origin accepted, before its connection is joined to the client's. */
export type Upgraded = Extract<RelayOutcome, { readonly kind: 'upgraded' }>

/**
 * Runs one request through its phases to a response. Never throws: internal errors answer 500.
 * @param upgrade protocol that the client wants to switch to
 * @returns the origin's side of an upgraded connection
 */
export async function run(
  core: PipelineCore,
  exchange: Exchange,
  response: ServerResponse,
  upgrade?: string,
): Promise<Upgraded | undefined> {
  response.once('finish', () => void linger(core, exchange.facts, response))
  try {
    if (!core.admission.admits(exchange.facts)) {
      exchange.leaveUnrecorded()
      answerOverload(core, exchange, response, 'record_log')
      return undefined
    }
    const decision = await decide(core, exchange)
    return await carryOut(core, exchange, response, decision, upgrade)
  } catch (error) {
    answerFailure(core, exchange, response, error)
    return undefined
  }
}

/** Records and counts a request that has ended, after `run`. Never throws. */
export async function finish(core: PipelineCore, exchange: Exchange): Promise<void> {
  const { facts } = exchange
  await record(core, exchange)
  // The request still counts as active, so an edge that closes waits for it.
  await exchange.lateEvents
  count(core, exchange)
  facts.body?.forget()
  const ending = core.background.ended(exchange)
  if (ending !== undefined) await ending
  facts.releaseContent()
  core.counters.active--
}

function count({ counters }: PipelineCore, { decisions: { terminal, incomplete } }: Exchange): void {
  if (terminal?.action === 'block' || terminal?.action === 'connectionClose') counters.blocked++
  else if (terminal !== undefined) counters.challenged++
  if (incomplete !== undefined) counters.incomplete[incomplete][terminal === undefined ? 'allow' : 'block']++
}

async function carryOut(
  core: PipelineCore,
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
    case 'forward': {
      const outcome = await forward(core, exchange, response, decision.inspector, upgrade)
      return settle(core, exchange, response, outcome)
    }
  }
}

function settle(
  core: PipelineCore,
  exchange: Exchange,
  response: ServerResponse,
  outcome: RelayOutcome,
): Upgraded | undefined {
  if (outcome.kind === 'upgraded') return outcome
  if (outcome.kind === 'refused') enforce(core, exchange, response, outcome.verdict)
  if (outcome.kind === 'failed') answerOriginFailure(core, exchange, response, outcome.error)
  return undefined
}
