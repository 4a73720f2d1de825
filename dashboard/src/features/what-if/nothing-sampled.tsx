import { LinkButton } from '../../ui/page/links.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { percentText } from './figures.ts'
import { SamplingControl } from './sampling-control.tsx'

interface Props {
  readonly zoneId: string
  readonly rate: number
  readonly isDeployed: boolean
}

/** Explains how to get samples. */
export function NothingSampled({ zoneId, rate, isDeployed }: Props) {
  if (!isDeployed)
    return (
      <EmptyState
        title="Managed ruleset not deployed"
        text="Samples come from requests that the managed ruleset inspects. Deploy it with action Log to find a suitable level and threshold without blocking requests."
        action={<LinkButton to={`/zones/${zoneId}/managed`}>Set up ruleset</LinkButton>}
      />
    )
  if (rate === 0)
    return (
      <EmptyState
        title="Sampling disabled"
        text="Enable sampling to analyse new requests here. 1 % suits busy sites; use more for quiet ones."
        action={<SamplingControl zoneId={zoneId} rate={rate} label="Enable sampling…" />}
      />
    )
  return (
    <EmptyState
      title="No samples in this period"
      text={`Sluice samples ${percentText(rate)} of the inspected requests; they appear here within seconds. Select a longer period, wait for traffic, or raise the sample rate.`}
      action={<SamplingControl zoneId={zoneId} rate={rate} label="Change sample rate…" />}
    />
  )
}
