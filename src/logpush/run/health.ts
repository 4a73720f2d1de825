import type { LogpushJob } from '../../model/resource.ts'
import type { Failure } from './failure.ts'

/** The health of a job, as its users see it. */
export type Health = Pick<LogpushJob, 'lastComplete' | 'lastError' | 'errorMessage' | 'paused'>

export function healthOf({ lastComplete, lastError, errorMessage, paused }: LogpushJob): Health {
  return { lastComplete, lastError, errorMessage, paused }
}

/** Nothing fails. */
export function healthy(lastComplete: string | null): Health {
  return { lastComplete, lastError: null, errorMessage: null, paused: false }
}

/** The last attempt, at `nowMs`, failed. */
export function failing({ lastComplete }: Health, { permanent, message }: Failure, nowMs: number): Health {
  return {
    lastComplete,
    lastError: new Date(nowMs).toISOString(),
    errorMessage: permanent ? `paused: edit the job to resume: ${message}` : message,
    paused: permanent,
  }
}
