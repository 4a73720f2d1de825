import { Button, Group } from '@mantine/core'
import { datasets } from '../../../../../src/model/datasets/table.ts'
import { useMay } from '../../../api/permissions.ts'
import type { LogpushJob } from '../../../api/types.ts'
import { LinkButton } from '../../../ui/page/links.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { EmptyState } from '../../../ui/page/states.tsx'
import { draftOf, emptyDraft } from '../draft.ts'
import { type LogScope, useLogScope } from '../scope.ts'
import { useDraft } from './draft-store.ts'
import classes from './wizard.module.css'
import { Wizard } from './wizard.tsx'

/**
 * The wizard for users who may edit jobs.
 * @param job the job to edit; undefined creates a new one
 */
export function Drafting({ job }: { readonly job: LogpushJob | undefined }) {
  const scope = useLogScope()
  const { may, reason } = useMay(scope.write)
  if (!may)
    return (
      <EmptyState
        title="No permission to edit jobs"
        text={reason}
        action={<LinkButton to={scope.path}>Back to jobs</LinkButton>}
      />
    )
  return <Draft key={`${scope.id} ${job?.id}`} scope={scope} job={job} />
}

function Draft({ scope, job }: { readonly scope: LogScope; readonly job: LogpushJob | undefined }) {
  const store = useDraft(`${scope.id}.${job?.id ?? 'new'}`, () => {
    const dataset = datasets.get(job?.dataset ?? 'http_requests')!
    return job === undefined
      ? emptyDraft(dataset.name, dataset.defaultFields)
      : draftOf(job, dataset.defaultFields)
  })
  const where = scope.kind === 'zone' ? 'of this zone' : 'of all zones of the account'
  return (
    <div className={classes['page']}>
      <PageHeader
        title={job === undefined ? 'New Logpush job' : `Edit ${job.name || `job ${job.id}`}`}
        text={
          job === undefined
            ? `Destination, selection and format of the log records ${where}.`
            : 'Changes apply to records that are not in a batch yet.'
        }
        actions={
          <Group gap="xs">
            {store.isKept ? (
              <Button variant="default" onClick={store.discard}>
                Start over
              </Button>
            ) : null}
            <LinkButton variant="default" to={job === undefined ? scope.path : `${scope.path}/${job.id}`}>
              Cancel
            </LinkButton>
          </Group>
        }
      />
      <Wizard scope={scope} job={job} store={store} />
    </div>
  )
}
