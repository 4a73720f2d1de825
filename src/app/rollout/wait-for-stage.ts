import { setTimeout as sleep } from 'node:timers/promises'
import type { Rollout } from '../../model/rollout.ts'
import { type Store, StoreError } from '../../store/index.ts'
import { rolloutLimits } from '../limits.ts'

type Stores = Pick<Store, 'rollout' | 'changes'>
type Obstacle = 'staged' | 'halted' | 'database'

/**
 * Waits while the newest documents are not for an edge that has no copy of earlier ones: the database has no others.
 * It also waits while the database does not answer, and cannot say for whom they are.
 * @param edge id of this machine
 * @param report prints a line on the terminal, once for each reason to wait
 */
export async function waitForStage(
  store: Stores,
  edge: string,
  report: (line: string) => void,
): Promise<void> {
  let told: Obstacle | undefined
  for (;;) {
    const found = await obstacle(store, edge)
    if (found === undefined) return
    if (found !== told) report(waitTexts[found])
    told = found
    await sleep(rolloutLimits.stepMs)
  }
}

const waitTexts: { readonly [reason in Obstacle]: string } = {
  staged:
    'this edge has no copy of its documents, and the newest changes are staged: it waits until they are for every edge; see sluice rollout status',
  halted:
    'this edge has no copy of its documents, and the newest changes are withdrawn: it waits until a person decides; see sluice rollout status',
  database:
    'this edge has no copy of its documents, and the database does not answer: it waits until it knows whether the newest changes are for it',
}

async function obstacle(store: Stores, edge: string): Promise<Obstacle | undefined> {
  try {
    const { rollout } = await store.rollout.get()
    const { state } = rollout
    if (state !== 'staged' && state !== 'halted') return undefined
    if (state === 'staged' && rollout.first.includes(edge)) return undefined
    return (await haveOthersEarlier(store, rollout)) ? state : undefined
  } catch (error) {
    if (error instanceof StoreError && error.code === 'unavailable') return 'database'
    throw error
  }
}

/** If no other edge serves the earlier documents, requests would find no edge meanwhile. */
async function haveOthersEarlier({ rollout, changes }: Stores, { everywhere }: Rollout): Promise<boolean> {
  const [head, reports] = await Promise.all([changes.head(), rollout.reports()])
  return head > everywhere && reports.some(({ position }) => position <= everywhere)
}
