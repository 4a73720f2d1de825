import { setTimeout as sleep } from 'node:timers/promises'
import type { Rollout } from '../../model/rollout.ts'
import type { Store } from '../../store/index.ts'
import { rolloutLimits } from '../limits.ts'

/**
 * Waits while the newest documents are not for an edge that has no copy of earlier ones: the database has no others.
 * @param edge id of this machine
 * @param report prints a line on the terminal, once if it waits
 */
export async function waitForStage(
  store: Pick<Store, 'rollout' | 'changes'>,
  edge: string,
  report: (line: string) => void,
): Promise<void> {
  for (let waits = 0; ; waits++) {
    const { rollout } = await store.rollout.get()
    const { state } = rollout
    if (state !== 'staged' && state !== 'halted') return
    if (state === 'staged' && rollout.first.includes(edge)) return
    if (!(await haveOthersEarlier(store, rollout))) return
    if (waits === 0) report(waitText(state))
    await sleep(rolloutLimits.stepMs)
  }
}

function waitText(state: 'staged' | 'halted'): string {
  const [what, until] =
    state === 'staged' ? ['staged', 'they are for every edge'] : ['withdrawn', 'a person decides']
  return `this edge has no copy of its documents, and the newest changes are ${what}: it waits until ${until}; see sluice rollout status`
}

/** If no other edge serves the earlier documents, requests would find no edge meanwhile. */
async function haveOthersEarlier(
  { rollout, changes }: Pick<Store, 'rollout' | 'changes'>,
  { everywhere }: Rollout,
): Promise<boolean> {
  const [head, reports] = await Promise.all([changes.head(), rollout.reports()])
  return head > everywhere && reports.some(({ position }) => position <= everywhere)
}
