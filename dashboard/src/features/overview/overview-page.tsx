import { Button, SimpleGrid, Stack } from '@mantine/core'
import { PlusIcon } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { AddZone } from './add-zone.tsx'
import { CrsFigure } from './crs-figure.tsx'
import { DeliveryFigure } from './delivery-figure.tsx'
import { FirstSteps } from './first-steps.tsx'
import { TrafficFigures } from './traffic-figures.tsx'
import { ZoneList } from './zone-list.tsx'

export default function OverviewPage() {
  const [adding, setAdding] = useUrlState('add')
  return (
    <>
      <PageHeader
        title="Overview"
        text="Every zone behind this edge, what was stopped, and whether the logs arrive."
        actions={
          <Permitted needs="zone write">
            {barred => (
              <Button leftSection={<PlusIcon size={16} />} onClick={() => setAdding('zone')} {...barred}>
                Add a zone
              </Button>
            )}
          </Permitted>
        }
      />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
          <TrafficFigures />
          <DeliveryFigure />
          <CrsFigure />
        </SimpleGrid>
        <ZoneList />
        {adding === 'zone' ? null : <FirstSteps />}
      </Stack>
      <AddZone opened={adding === 'zone'} onClose={() => setAdding('')} />
    </>
  )
}
