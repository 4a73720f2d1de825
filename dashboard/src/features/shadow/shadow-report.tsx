import { Alert, Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Shadow } from '../../api/types.ts'
import { FailureText } from '../../ui/failure-text.tsx'
import { Figure } from '../../ui/figure.tsx'
import { momentText } from '../../ui/local-time.ts'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type TimeRange, TimeRangePicker, useTimeRange } from '../../ui/time-range.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { OutcomeList } from './outcome-list.tsx'
import { countOf, type Outcome, topPaths, type Verdict } from './outcomes.ts'
import { shareText } from './shadow-form.tsx'
import { useOutcomes } from './use-outcomes.ts'

interface Props {
  readonly zoneId: string
  readonly shadow: Shadow
}

/** What the shadow would have done differently, on the requests that it looked at. */
export function ShadowReport({ zoneId, shadow }: Props) {
  const range = useTimeRange()
  const found = useOutcomes(zoneId, shadow, range)
  const { outcomes } = found
  return (
    <Section
      title="What it would have done"
      text="Requests that the zone’s rules, the shadow or both act on. Requests that neither acts on leave no event."
      actions={<TimeRangePicker />}
    >
      {found.isError ? (
        <Alert color="red" title="The events cannot be read">
          <FailureText error={found.error} />
        </Alert>
      ) : found.isPending ? (
        <Skeleton h={240} />
      ) : (
        <Stack gap="md">
          <Figures zoneId={zoneId} shadow={shadow} range={range} outcomes={outcomes} />
          {outcomes.length === 0 ? (
            <EmptyState
              title={shadow.enabled ? 'Nothing to tell yet' : 'Nothing in this time'}
              text={
                shadow.enabled
                  ? 'No request that it looked at in this time was acted on, by the zone’s rules or by the shadow. New ones are looked for every ten seconds.'
                  : 'It found nothing with these settings in this time. Choose a longer time.'
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
                Look further back
              </Button>
              <Text size="sm" c="dimmed">
                Events since {momentText(found.oldest?.datetime)} were looked at.
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
  const { data } = useRead(
    'GET /zones/{zone_id}/security/overview',
    { path: { zone_id: zoneId }, query: { since: range.since, until: range.until } },
    { keepPrevious: true },
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
      <Figure
        label="Requests of the zone"
        value={data?.requests.toLocaleString()}
        note={`While it runs, the shadow looks at ${shareText(shadow.sample_rate)} of them`}
      />
      <Figure
        label="Would also be acted on"
        value={countOf(outcomes, 'would act').toLocaleString()}
        note="The zone’s own rules let them through"
      />
      <Figure
        label="Would be let through"
        value={countOf(outcomes, 'would let through').toLocaleString()}
        note="The zone’s own rules acted on them"
      />
      <Figure label="The same" value={countOf(outcomes, 'same').toLocaleString()} note="Acted on by both" />
    </SimpleGrid>
  )
}

const verdicts: readonly { readonly value: Verdict | ''; readonly label: string }[] = [
  { value: '', label: 'Different' },
  { value: 'would act', label: 'Would be acted on' },
  { value: 'would let through', label: 'Would be let through' },
  { value: 'same', label: 'The same' },
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
          Most of those that would also be acted on:{' '}
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
        aria-label="Which requests"
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
