import { turnToBegin } from '../../kit/turns.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { ClientBodyError } from '../message/body-source.ts'
import type { ClientResponse } from '../message/client-response.ts'
import type { RequestFault } from '../message/request-faults.ts'
import { forward } from '../origin/forward.ts'
import type { RelayOutcome } from '../origin/relay.ts'
import { record } from '../records/recording.ts'
import { endSpan } from '../records/spans/request-span.ts'
import { answer, pageContext } from '../respond/answer.ts'
import { enforce } from '../respond/enforce.ts'
import { servedPage } from '../respond/served-error.ts'
import { refusingLimit } from './admit.ts'
import { decide, type PipelineCore } from './decide.ts'
import { answerFailure, answerOriginFailure, answerOverload } from './failures.ts'
import { measure } from './measure.ts'

/** An upgrade that the origin accepted, before its connection is joined to the client's. */
export type Upgraded = Extract<RelayOutcome, { readonly kind: 'upgraded' }>

/** The listener's knowledge about a request. */
interface Course {
  /** The reason to refuse it. Its rules still run, so that its record shows them. */
  readonly fault?: RequestFault | undefined
  /** The protocol that the client wants to switch to. */
  readonly upgrade?: string
  /** Takes the request to its origin; by default, the edge itself does. */
  readonly origin?: typeof forward
}

/**
 * Runs one request through its phases to a response. Never throws: internal errors answer 500.
 * @returns the origin's side of an upgraded connection
 */
export async function run(
  core: PipelineCore,
  exchange: Exchange,
  response: ClientResponse,
  { fault, upgrade, origin = forward }: Course = {},
): Promise<Upgraded | undefined> {
  try {
    const limit = refusingLimit(core, exchange, fault)
    if (limit !== undefined) {
      answerOverload(core, exchange, response, limit, fault)
      return undefined
    }
    const { zoneId, client } = exchange.facts
    const turn = turnToBegin(zoneId, client)
    if (turn !== undefined) await turn
    if (exchange.facts.hasLeft) throw new ClientBodyError('aborted')
    const decision = await decide(core, exchange, fault)
    if (decision.kind === 'forward') {
      const outcome = await origin(core, exchange, response, decision.inspector, upgrade)
      return settle(core, exchange, response, outcome)
    }
    if (decision.kind === 'answer') answer(core, exchange, response, decision.page)
    else response.destroy()
    return undefined
  } catch (error) {
    answerFailure(core, exchange, response, error)
    return undefined
  }
}

/** Records and counts a request that has ended, after `run`. Never throws. */
export async function finish(core: PipelineCore, exchange: Exchange): Promise<void> {
  const { facts } = exchange
  await record(core, exchange)
  if (exchange.span !== undefined) endSpan(exchange.span, exchange)
  // The request still counts as active, so an edge that closes waits for it.
  if (exchange.lateEvents !== undefined) await exchange.lateEvents
  count(core, exchange)
  measure(core, exchange)
  facts.body?.forget()
  const ending = core.background.ended(exchange)
  if (ending !== undefined) await ending
  facts.releaseContent()
  core.inFlight.leave(exchange)
  core.counters.active--
}

function count({ counters }: PipelineCore, { decisions: { terminal, incomplete } }: Exchange): void {
  if (terminal?.action === 'block' || terminal?.action === 'connectionClose') counters.blocked++
  else if (terminal !== undefined) counters.challenged++
  if (incomplete !== undefined) counters.incomplete[incomplete][terminal === undefined ? 'allow' : 'block']++
}

function settle(
  core: PipelineCore,
  exchange: Exchange,
  response: ClientResponse,
  outcome: RelayOutcome,
): Upgraded | undefined {
  if (outcome.kind === 'upgraded') return outcome
  if (outcome.kind === 'replaced') {
    const page = servedPage(outcome.error, pageContext(core, exchange.facts))
    answer(core, exchange, response, page)
  }
  if (outcome.kind === 'refused') enforce(core, exchange, response, outcome.verdict)
  if (outcome.kind === 'failed') answerOriginFailure(core, exchange, response, outcome.error)
  return undefined
}
