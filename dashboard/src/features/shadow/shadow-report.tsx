import { Alert, Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Shadow } from '../../api/types.ts'
import { type TimeRange, TimeRangePicker, useTimeRange } from '../../ui/address/time-range.tsx'
import { useUrlState } from '../../ui/address/use-url-state.ts'
import { FailureText } from '../../ui/display/failure-text.tsx'
import { momentText } from '../../ui/display/local-time.ts'
import { Figure } from '../../ui/page/figure.tsx'
import { Section } from '../../ui/page/section.tsx'
import { Stale } from '../../ui/page/stale.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { OutcomeList } from './outcome-list.tsx'
import { countOf, type Outcome, topPaths, type Verdict } from './outcomes.ts'
import { shareText } from './shadow-form.tsx'
import { useOutcomes } from './use-outcomes.ts'

interface Props {
  readonly zoneId: string
  readonly shadow: Shadow
}

/** Differences between the shadow and the zone's rules, on the evaluated requests. */
export function ShadowReport({ zoneId, shadow }: Props) {
  const range = useTimeRange()
  const found = useOutcomes(zoneId, shadow, range)
  const { outcomes } = found
  return (
    <Section
      title="Results"
      text="Requests on which the zone’s rules, the shadow or both act. Other requests leave no event."
      actions={<TimeRangePicker />}
    >
      {found.isError ? (
        <Alert color="red" title="Failed to load events">
          <FailureText error={found.error} />
        </Alert>
      ) : found.isPending ? (
        <Skeleton h={240} />
      ) : (
        <Stack gap="md">
          <Figures zoneId={zoneId} shadow={shadow} range={range} outcomes={outcomes} />
          {outcomes.length === 0 ? (
            <EmptyState
              title={shadow.enabled ? 'No results yet' : 'No results in this period'}
              text={
                shadow.enabled
                  ? 'Neither the zone’s rules nor the shadow acted on an evaluated request in this period. Refreshes every ten seconds.'
                  : 'The shadow has no results with these settings in this period. Select a longer period.'
              }
            />
          ) : (
            <Outcomes outcomes={outcomes} />
          )}
          {found.hasNextPage ? (
            <Group gap="sm">
              <Button
                variant="default"
                loading={found.isFetchingNextPage}
                onClick={() => void found.fetchNextPage()}
              >
                Load older events
              </Button>
              <Text size="sm" c="dimmed">
                Based on events since {momentText(found.oldest?.datetime)}.
              </Text>
            </Group>
          ) : null}
        </Stack>
      )}
    </Section>
  )
}

interface FiguresProps extends Props {
  readonly range: TimeRange
  readonly outcomes: readonly Outcome[]
}

function Figures({ zoneId, shadow, range, outcomes }: FiguresProps) {
  const overview = useRead(
    'GET /zones/{zone_id}/security/overview',
    { path: { zone_id: zoneId }, query: { since: range.since, until: range.until } },
    { keepPrevious: true },
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <Stale of={overview}>
        <Figure
          label="Requests to the zone"
          value={overview.data?.requests.toLocaleString()}
          note={`The shadow evaluates ${shareText(shadow.sample_rate)} while running`}
        />
      </Stale>
      <Figure
        label="Shadow only"
        value={countOf(outcomes, 'would act').toLocaleString()}
        note="The zone’s rules took no action"
      />
      <Figure
        label="Zone only"
        value={countOf(outcomes, 'would let through').toLocaleString()}
        note="The shadow takes no action"
      />
      <Figure label="Both" value={countOf(outcomes, 'same').toLocaleString()} note="Both act" />
    </SimpleGrid>
  )
}

const verdicts: readonly { readonly value: Verdict | ''; readonly label: string }[] = [
  { value: '', label: 'Differences' },
  { value: 'would act', label: 'Shadow only' },
  { value: 'would let through', label: 'Zone only' },
  { value: 'same', label: 'Both' },
]

const pathsMax = 5

function Outcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const [verdict, setVerdict] = useUrlState('verdict')
  const [opened, setOpened] = useState<Outcome>()
  const shown = outcomes.filter(each => (verdict === '' ? each.verdict !== 'same' : each.verdict === verdict))
  const paths = topPaths(outcomes, 'would act', pathsMax)
  return (
    <Stack gap="sm">
      {paths.length === 0 ? null : (
        <Text size="sm">
          Most frequent paths, shadow only:{' '}
          {paths.map(({ path, count }, at) => (
            <span key={path}>
              {at === 0 ? '' : ', '}
              <span className="mono wrap">{path}</span> ({count.toLocaleString()})
            </span>
          ))}
          .
        </Text>
      )}
      <SegmentedControl
        aria-label="Filter requests"
        w="fit-content"
        maw="100%"
        style={{ flexWrap: 'wrap' }}
        value={verdict}
        onChange={setVerdict}
        data={verdicts.map(({ value, label }) => ({ value, label }))}
      />
      <OutcomeList outcomes={shown} opened={opened} onOpen={setOpened} onClose={() => setOpened(undefined)} />
    </Stack>
  )
}
