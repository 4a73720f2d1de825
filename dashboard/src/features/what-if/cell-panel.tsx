import { Button, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { WhatIfCell } from '../../api/types.ts'
import { thresholdLabel } from '../../managed/words.ts'
import { Figure } from '../../ui/figure.tsx'
import { Permitted } from '../../ui/permitted.tsx'
import { FailureState } from '../../ui/states.tsx'
import classes from './cell-panel.module.css'
import { ExampleList } from './example-list.tsx'
import { estimateText, percentText } from './figures.ts'
import { type CellPlace, useCell } from './use-what-if.ts'

interface Props {
  readonly zoneId: string
  readonly place: CellPlace
  readonly isDeployed: boolean
  /** Of the zone in the range, sampled or not. */
  readonly requests: number
  onDeploy(): void
}

/** What one cell would act on, and the button that begins a draft with it. */
export function CellPanel({ zoneId, place, isDeployed, requests, onDeploy }: Props) {
  const cell = useCell(zoneId, place)
  const title = `PL${place.level} at ${thresholdLabel(place.threshold)}`
  return (
    <section aria-label={title}>
      <Group justify="space-between" align="center" mb="sm" gap="sm">
        <Title order={2}>{title}</Title>
        {isDeployed ? (
          <Text size="sm" c="dimmed">
            This is what is deployed now.
          </Text>
        ) : (
          <Permitted needs="zoneWaf write">
            {barred => (
              <Button onClick={onDeploy} {...barred}>
                Deploy this…
              </Button>
            )}
          </Permitted>
        )}
      </Group>
      {cell.isError ? <FailureState title="This cell cannot be read" error={cell.error} /> : null}
      {cell.isPending ? <Loader role="img" size="sm" aria-label="The cell is being read" /> : null}
      {cell.data === undefined ? null : <Content cell={cell.data} requests={requests} />}
    </section>
  )
}

function Content({ cell, requests }: { readonly cell: WhatIfCell; readonly requests: number }) {
  const { acted_on, samples, share } = cell
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Figure
          label="Would be acted on"
          value={`${acted_on.toLocaleString()} (${percentText(share)})`}
          note={estimateText(acted_on, samples, requests)}
        />
        <Figure
          label="Of these, the zone did not hold up"
          value={cell.acted_on_anew.toLocaleString()}
          note="Look at these before you deploy: attacks that come through, or false positives"
        />
        <Figure
          label="The zone held up, and this would not"
          value={cell.let_through.toLocaleString()}
          note="As far as the managed ruleset decides"
        />
      </SimpleGrid>
      {acted_on === 0 ? null : (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm" style={{ alignItems: 'start' }}>
            <TopList title="Paths" rows={cell.paths} of={acted_on} />
            <TopList title="Clients" rows={cell.clients} of={acted_on} />
            <TopList
              title="Rules that score"
              rows={cell.rules.map(({ ref, description, samples: count }) => ({
                value: description === '' ? ref : description,
                samples: count,
              }))}
              of={acted_on}
            />
          </SimpleGrid>
          <ExampleList examples={cell.examples} threshold={cell.threshold} />
        </>
      )}
    </Stack>
  )
}

interface TopProps {
  readonly title: string
  readonly rows: readonly { readonly value: string; readonly samples: number }[]
  readonly of: number
}

function TopList({ title, rows, of }: TopProps) {
  return (
    <Paper
      withBorder
      p="sm"
      style={{ borderColor: 'var(--sluice-line)', background: 'var(--sluice-raised)' }}
    >
      <Title order={3} size="h3" mb="xs">
        {title}
      </Title>
      <ol className={classes['list']} aria-label={title}>
        {rows.map(({ value, samples }) => (
          <li key={value} className={classes['item']}>
            <span
              aria-hidden="true"
              className={classes['bar']}
              style={{ width: `${Math.round((100 * samples) / of)}%` }}
            />
            <span className={classes['text']}>{value === '' ? '(empty)' : value}</span>
            <span className={classes['number']}>{samples.toLocaleString()}</span>
          </li>
        ))}
      </ol>
    </Paper>
  )
}
