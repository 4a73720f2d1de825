import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { describeCall } from '../../../../api/client.ts'
import { keyOf } from '../../../../api/hooks.ts'
import type { LogpushJob } from '../../../../api/types.ts'
import { useChange } from '../../../../ui/controls/use-change.ts'
import { changeOf, creationOf, draftOf } from '../../draft.ts'
import { at, changedByJobs } from '../../scope.ts'
import type { StepProps } from '../step-props.ts'
import { filterStateOf } from '../steps.ts'

/** The body of the call: the whole job, or only the changed members of an existing one. */
export type Body = Readonly<Record<string, unknown>>

export function bodyOf({ job, draft, dataset, filter }: StepProps): Body {
  if (job === undefined) return creationOf(draft, filter.text) as unknown as Body
  const before = draftOf(job, dataset.defaultFields)
  return changeOf(before, filterStateOf(before, dataset).text, draft, filter.text) as Body
}

export function maskedBody(body: Body, conf: string): Body {
  return 'destination_conf' in body ? { ...body, destination_conf: conf } : body
}

export function callOf({ scope, job }: StepProps, body: Body) {
  return job === undefined
    ? describeCall(at(scope, 'POST /zones/{zone_id}/logpush/jobs'), { path: scope.ids, body: body as never })
    : describeCall(at(scope, 'PUT /zones/{zone_id}/logpush/jobs/{job_id}'), {
        path: { ...scope.ids, job_id: job.id },
        body: body as never,
      })
}

/** Creates or updates the job, then opens its page. */
export function useWrite({ scope, job }: StepProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const changes = changedByJobs(scope)
  const onDone = (written: LogpushJob) => {
    queries.setQueryData(
      keyOf(at(scope, 'GET /zones/{zone_id}/logpush/jobs/{job_id}'), {
        path: { ...scope.ids, job_id: written.id },
      }),
      written,
    )
    void navigate({ to: `${scope.path}/${written.id}` })
  }
  const shared = { failed: '', changes, onDone, quietFailure: true }
  const create = useChange(at(scope, 'POST /zones/{zone_id}/logpush/jobs'), {
    ...shared,
    done: 'Job created',
  })
  const update = useChange(at(scope, 'PUT /zones/{zone_id}/logpush/jobs/{job_id}'), {
    ...shared,
    done: 'Job saved',
  })
  return {
    isPending: create.isPending || update.isPending,
    error: create.error ?? update.error,
    write(body: Body, finish: () => void) {
      const whenDone = { onSuccess: finish }
      if (job === undefined) create.mutate({ path: scope.ids, body: body as never }, whenDone)
      else update.mutate({ path: { ...scope.ids, job_id: job.id }, body: body as never }, whenDone)
    },
  }
}
