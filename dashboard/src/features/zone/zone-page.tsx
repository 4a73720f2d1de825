import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { TextLink } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { TryCommands } from '../../ui/try-commands.tsx'
import { useZone } from '../../ui/use-zone.ts'
import { ManagedFigure } from './managed-figure.tsx'
import { ZoneDeliveryFigure } from './zone-delivery-figure.tsx'
import { ZoneSettings } from './zone-settings.tsx'
import { ZoneTrafficFigures } from './zone-traffic-figures.tsx'

/** How one zone is doing, and what it is. */
export default function ZonePage() {
  const zone = useZone()
  return (
    <>
      <PageHeader
        title={zone.name}
        text={`Requests with this host name, on their way to ${zone.origin.url}.`}
        actions={
          <StatusDot tone={zone.paused ? 'warn' : 'good'}>{zone.paused ? 'Paused' : 'Active'}</StatusDot>
        }
      />
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
          <ZoneTrafficFigures zoneId={zone.id} />
          <ManagedFigure zoneId={zone.id} />
          <ZoneDeliveryFigure zoneId={zone.id} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
          <section aria-labelledby="try">
            <Title order={2} id="try" mb="sm">
              Try it
            </Title>
            <TryCommands zoneName={zone.name} />
            <Text size="sm" mt="sm">
              <TextLink to={`/zones/${zone.id}/events`} inherit underline="always">
                See what was stopped, and why
              </TextLink>
              , or{' '}
              <TextLink to={`/zones/${zone.id}/live`} inherit underline="always">
                all requests as they come
              </TextLink>
              .
            </Text>
          </section>
          <section aria-labelledby="settings">
            <Title order={2} id="settings" mb="sm">
              Settings
            </Title>
            <ZoneSettings zone={zone} />
          </section>
        </SimpleGrid>
      </Stack>
    </>
  )
}
