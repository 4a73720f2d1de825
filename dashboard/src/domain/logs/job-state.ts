import type { LogpushJob } from '../../api/types.ts'

export type JobState = 'delivering' | 'failing' | 'off' | 'new'

/** State in the list of jobs; the job's health has details. A failure counts until the next delivery succeeds. */
export function jobState({ enabled, last_complete, last_error }: LogpushJob): JobState {
  if (enabled !== true) return 'off'
  if (last_error !== null && (last_complete === null || last_error > last_complete)) return 'failing'
  return last_complete === null ? 'new' : 'delivering'
}
