import type { FastifyRequest } from 'fastify'
import type { LogpushJob, Scope } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { scopeOf } from '../http/context.ts'
import { type ApiError, refusal } from '../http/errors.ts'

export interface JobPath {
  Params: { readonly job_id: string }
}

/**
 * The job of the path.
 * @throws ApiError 404
 */
export function jobOf(request: FastifyRequest<JobPath>, store: Store): Promise<LogpushJob> {
  return findJob(scopeOf(request), request.params.job_id, store)
}

/** @throws ApiError 404 for unknown and malformed ids */
export async function findJob(scope: Scope, id: string, store: Store): Promise<LogpushJob> {
  const job = isNumberedId(id) ? await store.jobs.get(scope, Number(id)) : undefined
  if (job === undefined) throw jobNotFound(id)
  return job
}

/** Whether the text is a number from 1, as ids of jobs and replays are. */
export function isNumberedId(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text)
}

export function jobNotFound(id: string): ApiError {
  return refusal('jobNotFound', { id: id.slice(0, 32) })
}
