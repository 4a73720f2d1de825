import { Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core'
import type { WhatIf } from '../../api/types.ts'
import { DraftBar } from '../../domain/ruleset/owasp/draft/draft-bar.tsx'
import { ManagedFrame } from '../../domain/ruleset/owasp/draft/managed-frame.tsx'
import type { Managed } from '../../domain/ruleset/owasp/draft/use-managed.ts'
import { TimeRangePicker } from '../../ui/address/time-range.tsx'
import { Figure } from '../../ui/page/figure.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Stale } from '../../ui/page/stale.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { AddThreshold } from './add-threshold.tsx'
import { CellPanel } from './cell-panel.tsx'
import { msText, percentText } from './figures.ts'
import { MatrixTable } from './matrix-table.tsx'
import { NothingSampled } from './nothing-sampled.tsx'
import { SamplingControl } from './sampling-control.tsx'
import {
  type CellPosition,
  deployedPosition,
  isSame,
  useChosenCell,
  useMatrix,
  useThresholds,
} from './use-what-if.ts'

export default function WhatIfPage() {
  return <ManagedFrame>{managed => <Content managed={managed} />}</ManagedFrame>
}

function Content({ managed }: { readonly managed: Managed }) {
  const { base, context } = managed
  const { zoneId } = context
  const thresholds = useThresholds(base)
  const matrix = useMatrix(zoneId, thresholds.all)
  return (
    <>
      <PageHeader
        title="What if"
        text="The effect of other paranoia levels and thresholds on this zone, from sampled requests. Select a cell to see its requests and deploy it."
        actions={
          <>
            {matrix.data === undefined ? null : (
              <SamplingControl zoneId={zoneId} rate={matrix.data.sample_rate} />
            )}
            <TimeRangePicker />
          </>
        }
      />
      {matrix.isError ? <FailureState title="Failed to load samples" error={matrix.error} /> : null}
      {matrix.isPending ? <Loader role="img" aria-label="Loading samples" /> : null}
      {matrix.data === undefined ? null : matrix.data.samples === 0 ? (
        <NothingSampled
          zoneId={zoneId}
          rate={matrix.data.sample_rate}
          isDeployed={base.deployed && base.enabled}
        />
      ) : (
        <Stale of={matrix}>
          <Sampled managed={managed} matrix={matrix.data} thresholds={thresholds} />
        </Stale>
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
  const { base, context, change } = managed
  const { position: chosen, choose } = useChosenCell()
  const deployed = deployedPosition(base)
  const deploy = ({ level, threshold }: CellPosition) =>
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
            Each cell counts sampled requests that score at least the threshold at that level. Disabled rules
            and tags, and exceptions, apply as deployed. The lower the threshold, the fewer matching rules
            suffice.
          </Text>
          <AddThreshold known={thresholds.all} isFull={thresholds.isFull} onAdd={thresholds.add} />
        </Group>
      </Stack>
      {chosen === undefined ? (
        <Text size="sm" c="dimmed">
          Select a cell to see its paths, clients and examples.
        </Text>
      ) : (
        <CellPanel
          zoneId={context.zoneId}
          position={chosen}
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
  const left = left_out === 0 ? '' : `; ${left_out.toLocaleString()} skipped for lack of CPU time or capacity`
  const cut = incomplete === 0 ? '' : `; ${incomplete.toLocaleString()} partially evaluated`
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Figure
        label="Sampled requests"
        value={samples.toLocaleString()}
        note={`${percentText(sample_share)} of ${requests.toLocaleString()} requests${left}${cut}`}
      />
      <Figure
        label="Currently mitigated"
        value={held_up.toLocaleString()}
        note="Samples blocked or challenged by any rule of the zone"
      />
      <Figure
        label="Cost per sample"
        value={cost.evaluated === 0 ? 'None' : msText(cost.cpu_ms_per_sample)}
        note={
          cost.evaluated === 0
            ? 'No extra cost: the zone already runs all levels'
            : `CPU time of ${cost.evaluated.toLocaleString()} samples that were evaluated again, ${msText(cost.cpu_ms)} in total`
        }
      />
    </SimpleGrid>
  )
}
