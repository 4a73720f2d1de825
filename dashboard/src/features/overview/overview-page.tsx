import { Button, SimpleGrid, Stack } from '@mantine/core'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { PlusIcon } from '../../ui/display/icons.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { AccountDeliveryFigure } from './account-delivery-figure.tsx'
import { AddZone } from './add-zone.tsx'
import { CrsFigure } from './crs-figure.tsx'
import { FirstSteps } from './first-steps.tsx'
import { TrafficFigures } from './traffic-figures.tsx'
import { ZoneList } from './zone-list.tsx'

export default function OverviewPage() {
  const [adding, setAdding] = useUrlState('add')
  return (
    <>
      <PageHeader
        title="Overview"
        text="Traffic, mitigation and log delivery of all zones."
        actions={
          <Permitted needs="zone write">
            {barred => (
              <Button leftSection={<PlusIcon size={16} />} onClick={() => setAdding('zone')} {...barred}>
                Add zone
              </Button>
            )}
          </Permitted>
        }
      />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
          <TrafficFigures />
          <AccountDeliveryFigure />
          <CrsFigure />
        </SimpleGrid>
        <ZoneList />
        {adding === 'zone' ? null : <FirstSteps />}
      </Stack>
      <AddZone opened={adding === 'zone'} onClose={() => setAdding('')} />
    </>
  )
}
