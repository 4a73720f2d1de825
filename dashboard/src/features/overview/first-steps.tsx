import { Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useRead, useSession } from '../../api/hooks.ts'
import { TryCommands } from '../../domain/zone/try-commands.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { trafficInput, trafficKey } from './traffic-figures.tsx'

/** For new users: requests to send, and a link to the resulting events. */
export function FirstSteps() {
  const { data: traffic } = useRead(trafficKey, trafficInput(useSession().accountId))
  const isQuiet = traffic?.zones_total === 0
  // Stays visible while the user runs the commands: the link below them comes next.
  const [shown, setShown] = useState(false)
  if (isQuiet && !shown) setShown(true)
  const { data: zones } = useRead('GET /zones', { query: { per_page: 5 } }, { enabled: shown })
  const zone = zones?.[0]
  if (!shown || zone === undefined) return null
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="first-steps" maw={760}>
      <Title order={2} id="first-steps" size="h3" mb={4}>
        Try it
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Send two requests to {zone.name}:
      </Text>
      <TryCommands zoneName={zone.name} />
      <Text size="sm" mt="sm">
        Within seconds, the attack appears in the{' '}
        <TextLink to={`/zones/${zone.id}/events`} inherit underline="always">
          events of {zone.name}
        </TextLink>
        , with the matched rules.
      </Text>
    </Paper>
  )
}
