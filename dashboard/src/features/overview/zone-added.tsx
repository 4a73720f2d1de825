import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Zone } from '../../api/types.ts'
import { TryCommands } from '../../domain/zone/try-commands.tsx'
import { AlertIcon } from '../../ui/display/icons.tsx'
import { LinkButton } from '../../ui/page/links.tsx'

/** Next steps for a new zone. */
interface Props {
  readonly zone: Zone
  /** False when the ruleset could not be deployed. */
  readonly isProtected: boolean
  onClose(): void
}

export function ZoneAdded({ zone, isProtected, onClose }: Props) {
  return (
    <Stack>
      {isProtected ? null : (
        <Alert color="yellow" title="Failed to deploy the OWASP ruleset" icon={<AlertIcon />}>
          <Text size="sm">
            The zone was added without it; the token may lack Zone WAF Write. Deploy it on the zone’s page
            Managed ruleset.
          </Text>
        </Alert>
      )}
      <TryCommands zoneName={zone.name} />
      <Text size="sm">When both work as expected, point the DNS records of {zone.name} to the edge.</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <LinkButton to={`/zones/${zone.id}`}>Go to zone</LinkButton>
      </Group>
    </Stack>
  )
}
