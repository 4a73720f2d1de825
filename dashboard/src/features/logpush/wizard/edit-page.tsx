import { useRead } from '../../../api/hooks.ts'
import { PageLoading } from '../../../app/page-states.tsx'
import { FailureState } from '../../../ui/states.tsx'
import { at, useJobId, useLogScope } from '../scope.ts'
import { WizardPage } from './wizard-page.tsx'

/** Changes a job, with the same steps as a new one. */
export default function EditJobPage() {
  const scope = useLogScope()
  const path = { ...scope.ids, job_id: useJobId() }
  // Read once: what somebody drafts is compared with what it was when they began.
  const job = useRead(
    at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}'),
    { path },
    { staleMs: Number.POSITIVE_INFINITY },
  )
  if (job.isPending) return <PageLoading />
  if (job.isError) return <FailureState title="The job cannot be read" error={job.error} />
  return <WizardPage job={job.data} />
}
