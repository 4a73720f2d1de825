import { useParams } from '@tanstack/react-router'
import type { Operation } from '../../api/client.ts'
import { useSession } from '../../api/hooks.ts'
import type { Permission } from '../../api/permissions.ts'

/** Owner of the jobs on a page: a zone, or the account for all its zones. */
export interface LogScope {
  readonly kind: 'zone' | 'account'
  readonly id: string
  /** Path of the page with its list of jobs. */
  readonly path: string
  readonly write: Permission
  /** Path parameters of API calls at this level. */
  readonly ids: { readonly zone_id: string; readonly account_id: string }
}

/** The scope in the address: pages of a zone show its jobs. */
export function useLogScope(): LogScope {
  const { accountId } = useSession()
  const { zoneId } = useParams({ strict: false }) as { readonly zoneId?: string }
  if (zoneId === undefined)
    return {
      kind: 'account',
      id: accountId,
      path: '/logpush',
      write: 'accountLogs write',
      ids: { zone_id: '', account_id: accountId },
    }
  return {
    kind: 'zone',
    id: zoneId,
    path: `/zones/${zoneId}/logpush`,
    write: 'zoneLogs write',
    ids: { zone_id: zoneId, account_id: accountId },
  }
}

type ZoneOperation = Extract<Operation, `${string} /zones/{zone_id}/logpush/${string}`>

/** The operation at the level of the scope. Logpush has the same routes for accounts and zones. */
export function at<Key extends ZoneOperation>(scope: LogScope, key: Key): Key {
  return scope.kind === 'zone' ? key : (key.replace('/zones/{zone_id}/', '/accounts/{account_id}/') as Key)
}

/** Operations to refetch after a job changed. */
export function changedByJobs(scope: LogScope): readonly Operation[] {
  return [
    at(scope, 'GET /zones/{zone_id}/logpush/jobs'),
    at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}'),
    at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}/health'),
  ]
}

/** The job id in the address. */
export function useJobId(): number {
  const { jobId } = useParams({ strict: false }) as { readonly jobId?: string }
  return Number(jobId)
}
