import { useRead } from '../../../api/hooks.ts'
import { PageLoading } from '../../../ui/page/page-loading.tsx'
import { FailureState } from '../../../ui/page/states.tsx'
import { at, useJobId, useLogScope } from '../scope.ts'
import { Drafting } from './drafting.tsx'

/** Edits a job, with the steps of a new one. */
export default function EditJobPage() {
  const scope = useLogScope()
  const path = { ...scope.ids, job_id: useJobId() }
  // Loaded once: the draft is compared with the job at the start.
  const job = useRead(
    at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}'),
    { path },
    { staleMs: Number.POSITIVE_INFINITY },
  )
  if (job.isPending) return <PageLoading />
  if (job.isError) return <FailureState title="Failed to load job" error={job.error} />
  return <Drafting job={job.data} />
}
