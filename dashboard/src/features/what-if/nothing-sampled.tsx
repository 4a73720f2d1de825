import { LinkButton } from '../../ui/links.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { percentText } from './figures.ts'
import { SamplingControl } from './sampling-control.tsx'

interface Props {
  readonly zoneId: string
  readonly rate: number
  readonly isDeployed: boolean
}

/** How to get samples. */
export function NothingSampled({ zoneId, rate, isDeployed }: Props) {
  if (!isDeployed)
    return (
      <EmptyState
        title="The managed ruleset is not at work"
        text="Samples are taken of requests that it inspects. Deploy it first: with the action Log it holds nothing up, and this page tells after a while which level and threshold fit."
        action={<LinkButton to={`/zones/${zoneId}/managed`}>Set it up</LinkButton>}
      />
    )
  if (rate === 0)
    return (
      <EmptyState
        title="Sampling is off"
        text="Switch it on, and this page fills with the requests that come from then on. 1 % is enough for a busy site; take more for a quiet one."
        action={<SamplingControl zoneId={zoneId} rate={rate} label="Switch sampling on…" />}
      />
    )
  return (
    <EmptyState
      title="No samples in this time yet"
      text={`Of the requests that the managed ruleset inspects, ${percentText(rate)} are sampled as they come, and show here a few seconds later. Choose a longer time, wait for traffic, or sample more of it for a while.`}
      action={<SamplingControl zoneId={zoneId} rate={rate} label="Sample more…" />}
    />
  )
}
