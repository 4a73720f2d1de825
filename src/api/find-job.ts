import type { FastifyRequest } from 'fastify'
import type { LogpushJob, Scope } from '../model/resource.ts'
import type { Store } from '../store/port.ts'
import { scopeOf } from './context.ts'
import { type ApiError, refusal } from './errors.ts'

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

/** @throws ApiError 404 for unknown ids and for what cannot be one */
export async function findJob(scope: Scope, id: string, store: Store): Promise<LogpushJob> {
  const job = isNumberedId(id) ? await store.jobs.get(scope, Number(id)) : undefined
  if (job === undefined) throw jobNotFound(id)
  return job
}

/** Can it be the id of something that is numbered from 1? */
export function isNumberedId(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text)
}

export function jobNotFound(id: string): ApiError {
  return refusal('jobNotFound', { id: id.slice(0, 32) })
}
