import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Zone } from '../../api/types.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { TryCommands } from '../../ui/try-commands.tsx'

/** What to do with a zone that has just been made. */
interface Props {
  readonly zone: Zone
  /** False: the ruleset could not be deployed. */
  readonly isProtected: boolean
  onClose(): void
}

export function ZoneAdded({ zone, isProtected, onClose }: Props) {
  return (
    <Stack>
      {isProtected ? null : (
        <Alert color="yellow" title="The OWASP ruleset was not deployed" icon={<AlertIcon />}>
          <Text size="sm">
            The zone is there without it; the token may lack Zone WAF Write. Deploy it on the zone’s page
            Managed ruleset.
          </Text>
        </Alert>
      )}
      <TryCommands zoneName={zone.name} />
      <Text size="sm">
        When both do what they should, let the DNS records of {zone.name} lead to the edge.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <LinkButton to={`/zones/${zone.id}`}>Go to the zone</LinkButton>
      </Group>
    </Stack>
  )
}
