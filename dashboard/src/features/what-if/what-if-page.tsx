import { Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core'
import type { WhatIf } from '../../api/types.ts'
import { Figure } from '../../ui/figure.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { FailureState } from '../../ui/states.tsx'
import { TimeRangePicker } from '../../ui/time-range.tsx'
import { DraftBar } from '../managed/draft-bar.tsx'
import { ManagedFrame } from '../managed/managed-frame.tsx'
import type { Managed } from '../managed/use-managed.ts'
import { AddThreshold } from './add-threshold.tsx'
import { CellPanel } from './cell-panel.tsx'
import { msText, percentText } from './figures.ts'
import { MatrixTable } from './matrix-table.tsx'
import { NothingSampled } from './nothing-sampled.tsx'
import { SamplingControl } from './sampling-control.tsx'
import {
  type CellPlace,
  deployedPlace,
  isSame,
  useChosenCell,
  useMatrix,
  useThresholds,
} from './use-what-if.ts'

export default function WhatIfPage() {
  return <ManagedFrame>{managed => <Content managed={managed} />}</ManagedFrame>
}

function Content({ managed }: { readonly managed: Managed }) {
  const { base, place } = managed
  const { zoneId } = place
  const thresholds = useThresholds(base)
  const matrix = useMatrix(zoneId, thresholds.all)
  return (
    <>
      <PageHeader
        title="What if"
        text="What another paranoia level or threshold would do to the requests of this zone: every rule is evaluated on a sample of them. Choose a cell to see which requests those are, and deploy it."
        actions={
          <>
            {matrix.data === undefined ? null : (
              <SamplingControl zoneId={zoneId} rate={matrix.data.sample_rate} />
            )}
            <TimeRangePicker />
          </>
        }
      />
      {matrix.isError ? <FailureState title="The samples cannot be read" error={matrix.error} /> : null}
      {matrix.isPending ? <Loader role="img" aria-label="The samples are being read" /> : null}
      {matrix.data === undefined ? null : matrix.data.samples === 0 ? (
        <NothingSampled
          zoneId={zoneId}
          rate={matrix.data.sample_rate}
          isDeployed={base.deployed && base.enabled}
        />
      ) : (
        <Sampled managed={managed} matrix={matrix.data} thresholds={thresholds} />
      )}
      <DraftBar managed={managed} />
    </>
  )
}

interface SampledProps {
  readonly managed: Managed
  readonly matrix: WhatIf
  readonly thresholds: ReturnType<typeof useThresholds>
}

function Sampled({ managed, matrix, thresholds }: SampledProps) {
  const { base, place, change } = managed
  const { place: chosen, choose } = useChosenCell()
  const deployed = deployedPlace(base)
  const deploy = ({ level, threshold }: CellPlace) =>
    change({
      level: level as 1 | 2 | 3 | 4,
      threshold,
      ...(base.deployed ? {} : { deployed: true }),
    })
  return (
    <Stack gap="lg">
      <Totals matrix={matrix} />
      <Stack gap="xs">
        <MatrixTable
          matrix={matrix}
          chosen={chosen}
          deployed={deployed}
          removable={thresholds.own}
          onChoose={choose}
          onRemove={thresholds.remove}
        />
        <Group justify="space-between" align="flex-end" gap="sm">
          <Text size="sm" c="dimmed" flex="1 1 320px" maw={640}>
            Each cell: sampled requests whose points at that level come to the threshold or more. Rules and
            tags that are switched off, and exceptions, count as they are deployed. The smaller the number of
            a threshold, the fewer rules have to match.
          </Text>
          <AddThreshold known={thresholds.all} isFull={thresholds.isFull} onAdd={thresholds.add} />
        </Group>
      </Stack>
      {chosen === undefined ? (
        <Text size="sm" c="dimmed">
          No cell is chosen. Choose one to see its paths, clients and examples.
        </Text>
      ) : (
        <CellPanel
          zoneId={place.zoneId}
          place={chosen}
          isDeployed={isSame(chosen, deployed)}
          requests={matrix.requests}
          onDeploy={() => deploy(chosen)}
        />
      )}
    </Stack>
  )
}

function Totals({ matrix }: { readonly matrix: WhatIf }) {
  const { samples, requests, sample_share, held_up, left_out, incomplete, cost } = matrix
  const left =
    left_out === 0 ? '' : `; ${left_out.toLocaleString()} left out, for want of processor time or room`
  const cut = incomplete === 0 ? '' : `; ${incomplete.toLocaleString()} not evaluated to the end`
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Figure
        label="Sampled requests"
        value={samples.toLocaleString()}
        note={`${percentText(sample_share)} of ${requests.toLocaleString()} requests${left}${cut}`}
      />
      <Figure
        label="Held up as deployed"
        value={held_up.toLocaleString()}
        note="Samples that the zone blocked or challenged, by whatever rule"
      />
      <Figure
        label="Cost of a sample"
        value={cost.evaluated === 0 ? 'None' : msText(cost.cpu_ms_per_sample)}
        note={
          cost.evaluated === 0
            ? 'The zone runs every level anyway: its own evaluation tells all'
            : `Processor time of ${cost.evaluated.toLocaleString()} samples that were evaluated once more, ${msText(cost.cpu_ms)} in all`
        }
      />
    </SimpleGrid>
  )
}
