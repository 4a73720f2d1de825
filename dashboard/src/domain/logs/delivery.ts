import type { LogpushOverview } from '../../api/types.ts'
import type { Tone } from '../../ui/display/status-dot.tsx'

export type ListedJob = LogpushOverview['worst'][number]

/** The delivery of several jobs in a few words: the worst state decides. */
export function deliveryOf(overview: LogpushOverview): { readonly word: string; readonly tone: Tone } {
  const { enabled, stopped, retrying, behind } = overview
  const failing = stopped + retrying
  if (failing > 0) return { word: `${failing} of ${enabled} failing`, tone: 'bad' }
  if (behind > 0) return { word: `${behind} of ${enabled} catching up`, tone: 'warn' }
  if (enabled === 0) return { word: 'Paused', tone: 'none' }
  return { word: 'Delivering', tone: 'good' }
}

/** `Failing: payments`, or the count of several jobs. The state comes first, because narrow columns cut the end. */
export function shortDeliveryOf(overview: LogpushOverview): string {
  const { enabled, stopped, retrying, behind, worst } = overview
  if (enabled === 0) return 'Paused'
  const failing = stopped + retrying
  const [state, troubled] = failing > 0 ? ['Failing', failing] : ['Catching up', behind]
  if (troubled === 0) return countOf(enabled)
  return `${state}: ${troubled === 1 && worst[0] !== undefined ? nameOf(worst[0]) : countOf(troubled)}`
}

export function nameOf({ name, job_id }: ListedJob): string {
  return name || `job ${job_id}`
}

/** State of an unhealthy job: stopped by a failure, retrying, or late. */
export function troubleWord({ state }: ListedJob): string {
  return state === 'paused' ? 'stopped' : state === 'retrying' ? 'retrying' : 'catching up'
}

function countOf(jobs: number): string {
  return jobs === 1 ? '1 job' : `${jobs} jobs`
}
