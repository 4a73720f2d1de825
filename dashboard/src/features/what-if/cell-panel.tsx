import { Button, Group, Loader, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { WhatIfCell } from '../../api/types.ts'
import { thresholdLabel } from '../../domain/ruleset/owasp/words.ts'
import { Permitted } from '../../ui/controls/permitted.tsx'
import { Figure } from '../../ui/page/figure.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import classes from './cell-panel.module.css'
import { ExampleList } from './example-list.tsx'
import { estimateText, percentText } from './figures.ts'
import { type CellPosition, useCell } from './use-what-if.ts'

interface Props {
  readonly zoneId: string
  readonly position: CellPosition
  readonly isDeployed: boolean
  /** Requests of the zone in the range, sampled or not. */
  readonly requests: number
  onDeploy(): void
}

/** Requests that one cell would mitigate, and a button that drafts its settings. */
export function CellPanel({ zoneId, position, isDeployed, requests, onDeploy }: Props) {
  const cell = useCell(zoneId, position)
  const title = `PL${position.level} at ${thresholdLabel(position.threshold)}`
  return (
    <section aria-label={title}>
      <Group justify="space-between" align="center" mb="sm" gap="sm">
        <Title order={2}>{title}</Title>
        {isDeployed ? (
          <Text size="sm" c="dimmed">
            Currently deployed.
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
      {cell.isError ? <FailureState title="Failed to load cell" error={cell.error} /> : null}
      {cell.isPending ? <Loader role="img" size="sm" aria-label="Loading cell" /> : null}
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
          label="Would be mitigated"
          value={`${acted_on.toLocaleString()} (${percentText(share)})`}
          note={estimateText(acted_on, samples, requests)}
        />
        <Figure
          label="Not mitigated today"
          value={cell.acted_on_anew.toLocaleString()}
          note="Review before deploying: missed attacks or false positives"
        />
        <Figure
          label="No longer mitigated"
          value={cell.let_through.toLocaleString()}
          note="Considers the managed ruleset only"
        />
      </SimpleGrid>
      {acted_on === 0 ? null : (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm" style={{ alignItems: 'start' }}>
            <TopList title="Paths" rows={cell.paths} of={acted_on} />
            <TopList title="Clients" rows={cell.clients} of={acted_on} />
            <TopList
              title="Scoring rules"
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
