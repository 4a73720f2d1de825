import { setTimeout as sleep } from 'node:timers/promises'
import type { SharedPostgres } from '../support/shared-postgres.ts'
import type { Spares } from './children.ts'
import { scenarioOf } from './choose-scenario.ts'
import { faultKinds } from './fault-kinds.ts'
import { inspect } from './inspect.ts'
import { SeedRun } from './seed-run.ts'
import type { Theme } from './themes.ts'

export interface SeedResult {
  readonly seed: number
  readonly theme: Theme
  /** The problems; empty if all lines are present, each once. */
  readonly problems: readonly string[]
  readonly story: readonly string[]
  /** Faults that really happened, by kind. */
  readonly injected: ReadonlyMap<string, number>
  readonly lines: number
  readonly objects: number
}

/**
 * Lets everything happen that a seed decides, and looks at what has arrived.
 * @param wanted as in `scenarioOf`
 */
export async function runSeed(
  seed: number,
  spares: Spares,
  postgres: SharedPostgres,
  wanted?: readonly string[],
): Promise<SeedResult> {
  const run = new SeedRun(scenarioOf(seed, wanted), spares, postgres)
  let arrived = { lines: 0, objects: 0 }
  try {
    await run.open()
    await strike(run)
    await run.settle()
    arrived = await inspect(run)
  } catch (error) {
    run.problems.push(`the run itself failed: ${error instanceof Error ? error.stack : error}`)
  } finally {
    await run.close()
  }
  const { problems, story, injected } = run
  return { seed, theme: run.scenario.theme, problems, story, injected, ...arrived }
}

/** So long troubles wait for the requests that they are meant for, when all steps are done. */
const lastChanceMs = 400
/** And so long before the next one, when each is to strike. */
const patienceMs = 4000

async function strike(run: SeedRun): Promise<void> {
  await Promise.all([run.delivery, ...run.writers].map(watched => watched.ready()))
  /** By kind: two of one kind would be in each other's way. */
  const running = new Map<string, Promise<void>>()
  for (const { waitMs, kind, random, aside } of run.scenario.steps) {
    await sleep(waitMs)
    await running.get(kind)
    run.tell(`next: ${kind}`)
    const { inject } = faultKinds.find(({ name }) => name === kind)!
    const done = inject(run, random).catch(error => {
      run.problems.push(`${kind} itself failed: ${error instanceof Error ? error.stack : error}`)
    })
    running.set(kind, done)
    if (!aside) await done
    if (run.scenario.patient) await allStruck(run, patienceMs)
  }
  await Promise.all(running.values())
  await allStruck(run, lastChanceMs)
}

async function allStruck({ bucket }: SeedRun, msMax: number): Promise<void> {
  const deadlineMs = Date.now() + msMax
  while (bucket.troubles.length > 0 && Date.now() < deadlineMs) await sleep(20)
}
