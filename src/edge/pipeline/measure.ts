import type { EdgeCore } from '../exchange/core.ts'
import type { Decisions } from '../exchange/decisions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { recordedStatus } from '../records/http-request.ts'

/** Measures a request that has ended. */
export function measure({ measures, deps }: EdgeCore, { facts, decisions, answer }: Exchange): void {
  const { origin } = answer
  if (answer.status !== 101) {
    measures.requestSeconds.add(seconds(facts.startedMs, deps.clock.nowMs()))
    if (origin?.endedMs !== undefined) measures.originSeconds.add(seconds(origin.startedMs, origin.endedMs))
  }
  if (decisions.inspections.length > 0) {
    measures.wafSeconds.add(decisions.engineMs / 1000)
    let share = 0
    for (const { transaction } of decisions.inspections) share = Math.max(share, transaction.workShare)
    measures.wafWorkShare.add(share)
  }
  if (facts.plan !== undefined)
    measures.zones.add(facts.plan.zone, recordedStatus(answer, decisions), actionOf(decisions))
}

/** The clock of the machine may go back. */
function seconds(startedMs: number, endedMs: number): number {
  return Math.max(0, endedMs - startedMs) / 1000
}

/** As records spell it; `log` when rules only logged, `none` when no rule acted. */
function actionOf({ terminal, entries }: Decisions): string {
  if (terminal !== undefined) return terminal.action
  return entries.some(({ action }) => action === 'log') ? 'log' : 'none'
}
