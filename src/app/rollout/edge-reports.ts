import type { EdgeReport, Rollout } from '../../model/rollout.ts'
import type { RolloutStore } from '../../store/index.ts'
import { rolloutLimits } from '../limits.ts'

export interface EdgeReportsDeps {
  /** Id of this machine. */
  readonly edge: string
  /** Undefined: nothing is reported. */
  readonly rollout: () => Rollout | undefined
  /** Sequence of the last change that the edge has. */
  readonly position: () => number
  /** Of each worker, as prom-client's registry gives them. */
  readonly metrics: () => Promise<readonly (readonly object[])[]>
  readonly store: Pick<RolloutStore, 'report'>
  readonly onError: (error: unknown) => void
}

type Counts = Pick<EdgeReport, 'requests' | 'mitigated' | 'failed'>

/** Reports the requests since a stage began, now and then. @returns ends it */
export function reportRequests(deps: EdgeReportsDeps): () => void {
  let stage: number | undefined
  let before: Counts = { requests: 0, mitigated: 0, failed: 0 }
  const report = async (): Promise<void> => {
    const rollout = deps.rollout()
    if (rollout === undefined) return
    const now = countsOf(await deps.metrics())
    // A worker that ends takes with it what it counted after its last reading.
    if (rollout.beganMs !== stage || now.requests < before.requests) before = now
    stage = rollout.beganMs
    await deps.store.report({
      edge: deps.edge,
      stage,
      position: deps.position(),
      requests: now.requests - before.requests,
      mitigated: now.mitigated - before.mitigated,
      failed: now.failed - before.failed,
    })
  }
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    report()
      .catch(deps.onError)
      .finally(() => {
        isBusy = false
      })
  }, rolloutLimits.reportMs)
  timer.unref()
  return () => clearInterval(timer)
}

interface Metric {
  readonly name: string
  readonly values: readonly { readonly value: number; readonly labels: { readonly [name: string]: string } }[]
}

function countsOf(ofWorkers: readonly (readonly object[])[]): Counts {
  const sum = { requests: 0, mitigated: 0, failed: 0 }
  for (const { name, values } of ofWorkers.flat() as readonly Metric[]) {
    if (name !== 'sluice_zone_requests_total') continue
    for (const { value, labels } of values) {
      sum.requests += value
      if (mitigations.has(labels['action']!)) sum.mitigated += value
      if (labels['status'] === '5xx') sum.failed += value
    }
  }
  return sum
}

const mitigations: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'jschallenge',
  'managedChallenge',
  'connectionClose',
])
