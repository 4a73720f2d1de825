import { systemClock } from '../../kit/clock.ts'
import type { Settings } from '../../model/settings/index.ts'
import { type Store, StoreError } from '../../store/index.ts'
import { rolloutLimits } from '../limits.ts'
import type { Logger } from '../observe/logger.ts'
import { nextRollout } from './next-rollout.ts'

/**
 * Brings changes to the first edges and then to all, as the settings say. Any number of processes may do it: the state in
 * the database changes only from the state that a process has read.
 * @returns ends it
 */
export function conductRollout(
  { rolloutShare: share, rolloutPeriod: periodMs }: Settings,
  store: Pick<Store, 'rollout' | 'changes'>,
  logger: Logger,
): () => void {
  const step = async (): Promise<void> => {
    const { rollout, revision } = await store.rollout.get()
    if (share === 0 && rollout.state === 'off') return end()
    const [head, reports] = await Promise.all([store.changes.head(), store.rollout.reports()])
    const next = nextRollout(rollout, { head, reports, share, periodMs, nowMs: systemClock.nowMs() })
    if (next === undefined) return
    await store.rollout.put(next, revision)
    if (next.state === rollout.state) return
    const { state, everywhere, staged, first, reason } = next
    const fields = { everywhere, staged, first, reason }
    if (state === 'halted')
      logger.error(fields, `staged changes were withdrawn: ${reason}; see GET /accounts/{id}/rollout`)
    else logger.info(fields, `the roll-out of changes is ${state}`)
  }
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    step()
      .catch(error => {
        // Another process was faster; or the database is away, which the change feed reports.
        if (!(error instanceof StoreError))
          logger.error({ err: error }, 'the roll-out of changes has stalled')
      })
      .finally(() => {
        isBusy = false
      })
  }, rolloutLimits.stepMs)
  timer.unref()
  const end = () => clearInterval(timer)
  return end
}
