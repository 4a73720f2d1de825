import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { TryCommands } from '../../domain/zone/try-commands.tsx'
import { useZone } from '../../domain/zone/use-zone.ts'
import { StatusDot } from '../../ui/display/status-dot.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { CertificatesCard } from './certificates-card.tsx'
import { ManagedFigure } from './managed-figure.tsx'
import { ZoneDeliveryFigure } from './zone-delivery-figure.tsx'
import { ZoneSettings } from './zone-settings.tsx'
import { ZoneTrafficFigures } from './zone-traffic-figures.tsx'

/** Traffic, protection and settings of one zone. */
export default function ZonePage() {
  const zone = useZone()
  return (
    <>
      <PageHeader
        title={zone.name}
        text={
          zone.origin.url === null
            ? 'Requests with this host name, forwarded to the servers of its DNS records.'
            : `Requests with this host name, forwarded to ${zone.origin.url}.`
        }
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
                See events
              </TextLink>
              , or{' '}
              <TextLink to={`/zones/${zone.id}/live`} inherit underline="always">
                requests in real time
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
        <CertificatesCard zoneId={zone.id} />
      </Stack>
    </>
  )
}
