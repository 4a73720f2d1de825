import type { LogpushJob } from './types.ts'

export type JobState = 'delivering' | 'failing' | 'off' | 'new'

/** What the list of jobs tells of one; its health knows more. A failure counts until something was delivered after it. */
export function jobState({ enabled, last_complete, last_error }: LogpushJob): JobState {
  if (enabled !== true) return 'off'
  if (last_error !== null && (last_complete === null || last_error > last_complete)) return 'failing'
  return last_complete === null ? 'new' : 'delivering'
}
