import type { ReactNode } from 'react'
import { isPermission } from '../../api/failure.ts'
import type { LogpushOverview } from '../../api/types.ts'
import { Figure } from '../../ui/page/figure.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { deliveryOf, type ListedJob, nameOf, troubleWord } from './delivery.ts'

interface Props {
  readonly overview: LogpushOverview | undefined
  readonly error: Error | null
  /** Shown to a token without the permission. */
  readonly permission: string
  /** Shown without jobs. */
  readonly none: ReactNode
  /** Names the zone of each job. */
  readonly withZones?: boolean
}

/** Health of several Logpush jobs: the worst first, by name. */
export function DeliveryFigure({ overview, error, permission, none, withZones = false }: Props) {
  const label = 'Log delivery'
  if (error) return <Figure label={label} value="–" note={isPermission(error) ? permission : error.message} />
  if (overview === undefined) return <Figure label={label} value={undefined} />
  if (overview.jobs === 0) return <Figure label={label} value="No jobs" note={none} />
  const { word, tone } = deliveryOf(overview)
  const note = <Note overview={overview} withZones={withZones} />
  return <Figure label={label} value={word} {...(tone === 'none' ? {} : { tone })} note={note} />
}

interface NoteProps {
  readonly overview: LogpushOverview
  readonly withZones: boolean
}

function Note({ overview: { worst, jobs, enabled, lines, lag_seconds_max }, withZones }: NoteProps) {
  const [first] = worst
  if (first === undefined)
    return `${enabled} of ${jobs} jobs enabled; ${lines === 1 ? '1 line' : `${lines.toLocaleString()} lines`} in 24 h; maximum lag ${lag_seconds_max} s`
  const others = worst.length - shownMax
  return (
    <>
      {worst.slice(0, shownMax).map((job, at) => (
        <span key={job.job_id}>
          {at === 0 ? '' : ', '}
          <JobLink job={job} withZone={withZones} /> {troubleWord(job)}
        </span>
      ))}
      {others > 0 ? ` and ${others} more` : ''}
      {first.error_message === null ? '' : `: ${first.error_message}`}
    </>
  )
}

const shownMax = 3

function JobLink({ job, withZone }: { readonly job: ListedJob; readonly withZone: boolean }) {
  const path = job.zone === null ? '/logpush' : `/zones/${job.zone.id}/logpush`
  const zone = withZone && job.zone !== null ? ` (${job.zone.name})` : ''
  return (
    <TextLink to={`${path}/${job.job_id}`} inherit underline="always">
      {`${nameOf(job)}${zone}`}
    </TextLink>
  )
}
