import { Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useRead, useSession } from '../../api/hooks.ts'
import { TextLink } from '../../ui/links.tsx'
import { TryCommands } from '../../ui/try-commands.tsx'
import { trafficInput, trafficKey } from './traffic-figures.tsx'

/** For somebody who has just begun: what to send, and where to see what became of it. */
export function FirstSteps() {
  const { data: traffic } = useRead(trafficKey, trafficInput(useSession().accountId))
  const isQuiet = traffic?.zones_total === 0
  // Stays while somebody tries the commands: the link behind them is what they look for next.
  const [shown, setShown] = useState(false)
  if (isQuiet && !shown) setShown(true)
  const { data: zones } = useRead('GET /zones', { query: { per_page: 5 } }, { enabled: shown })
  const zone = zones?.[0]
  if (!shown || zone === undefined) return null
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="first-steps" maw={760}>
      <Title order={2} id="first-steps" size="h3" mb={4}>
        See it work
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Two requests to {zone.name}, to try it with:
      </Text>
      <TryCommands zoneName={zone.name} />
      <Text size="sm" mt="sm">
        Some seconds later the attack is among the{' '}
        <TextLink to={`/zones/${zone.id}/events`} inherit underline="always">
          events of {zone.name}
        </TextLink>
        , with the rules that matched.
      </Text>
    </Paper>
  )
}
