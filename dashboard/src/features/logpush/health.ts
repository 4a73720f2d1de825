import { useRead } from '../../api/hooks.ts'
import type { LogpushHealth, LogpushJob } from '../../api/types.ts'
import type { Tone } from '../../ui/display/status-dot.tsx'
import { at, type LogScope } from './scope.ts'

/** Health of a job over the last day, or from `since` on; polls failing jobs more often. */
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
  retrying: { word: 'Retrying', tone: 'bad' },
  paused: { word: 'Stopped', tone: 'bad' },
}

const catchingUp: ShownState = { word: 'Catching up', tone: 'warn' }

/** The state in a word: `Paused` by a user, `Stopped` by a failure that needs a fix. */
export function stateOf(job: LogpushJob, health: LogpushHealth | undefined): ShownState {
  if (!job.enabled) return states.disabled
  if (health === undefined) return { word: '…', tone: 'none' }
  if (health.state === 'running' && health.behind) return catchingUp
  return states[health.state]
}

/** The current failure in plain words; undefined without one. */
export function troubleOf({ state, error_message: message }: LogpushHealth): string | undefined {
  if (message === null || state === 'disabled') return undefined
  const cause = sentence(message.replace(/^paused[^:]*: */, ''))
  return state === 'paused'
    ? `${cause} Delivery stopped; its position is kept. Fix the cause and select “Retry now”, or edit the job. Automatic retries run every 15 minutes.`
    : `${cause} Retrying automatically; nothing is lost while records are retained.`
}

function sentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** The lag of a job; paused jobs have none. */
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

/** `12 B`, `3.4 KB`, `1.2 GB`: decimal units, as providers bill. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`
}

export function countText(count: number): string {
  return count.toLocaleString()
}
