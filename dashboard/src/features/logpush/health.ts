import { useRead } from '../../api/hooks.ts'
import type { LogpushHealth, LogpushJob } from '../../api/types.ts'
import type { Tone } from '../../ui/status-dot.tsx'
import { at, type LogScope } from './scope.ts'

/** How a job is doing over the last day, or from `since` on; one that is in trouble is asked for more often. */
export function useHealth(scope: LogScope, jobId: number, since?: string) {
  const key = at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}/health')
  const input = {
    path: { ...scope.ids, job_id: jobId },
    ...(since === undefined ? {} : { query: { since } }),
  }
  const state = useRead(key, input).data?.state
  return useRead(key, input, { everyMs: state === 'retrying' || state === 'paused' ? 5000 : 30_000 })
}

export interface ShownState {
  readonly word: string
  readonly tone: Tone
}

const states: Readonly<Record<LogpushHealth['state'], ShownState>> = {
  disabled: { word: 'Paused', tone: 'none' },
  running: { word: 'Delivering', tone: 'good' },
  retrying: { word: 'Retrying', tone: 'warn' },
  paused: { word: 'Stopped', tone: 'bad' },
}

/** The state in a word: `Paused` by a person, `Stopped` by a failure that only a person can mend. */
export function stateOf(job: LogpushJob, health: LogpushHealth | undefined): ShownState {
  if (!job.enabled) return states.disabled
  if (health === undefined) return { word: '…', tone: 'none' }
  return states[health.state]
}

/** The failure of now in plain words; undefined when there is none. */
export function troubleOf({ state, error_message: message }: LogpushHealth): string | undefined {
  if (message === null || state === 'disabled') return undefined
  const cause = sentence(message.replace(/^paused[^:]*: */, ''))
  return state === 'paused'
    ? `${cause} Delivery has stopped and keeps its place. Mend it, then choose “Try again now”, or edit the job. By itself it tries every 15 minutes.`
    : `${cause} It is tried again by itself; nothing is lost while the records are kept.`
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** How far behind a job is; of one that is paused the API does not say. */
export function lagText({ state, lag_seconds }: LogpushHealth): string {
  return state === 'disabled' ? '–' : durationText(lag_seconds)
}

/** `0 s`, `3 min`, `2 h`, `4 d`. */
export function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/** `12 B`, `3.4 KB`, `1.2 GB`: thousands, as in bills. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`
}

export function countText(count: number): string {
  return count.toLocaleString()
}
