import { Badge, Drawer, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { actionLabel, thresholdLabel } from '../../managed/words.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { TextLink } from '../../ui/links.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useZoneId } from '../../ui/use-zone-id.ts'
import type { Outcome, Verdict } from './outcomes.ts'

interface Props {
  readonly outcomes: readonly Outcome[]
  readonly opened: Outcome | undefined
  onOpen(outcome: Outcome): void
  onClose(): void
}

/** Requests, newest first, each with what the shadow would have done about it. */
export function OutcomeList({ outcomes, opened, onOpen, onClose }: Props) {
  return (
    <>
      <DataTable
        label="Requests that the shadow looked at"
        columns={columns}
        rows={outcomes}
        rowKey={({ rayId }) => rayId}
        rowHeight={52}
        maxHeight="28rem"
        onOpen={onOpen}
        empty={<EmptyState title="No request of this kind" />}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={onClose}
        position="right"
        size="lg"
        title={opened === undefined ? '' : `Ray ${opened.rayId}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened === undefined ? null : <Details outcome={opened} />}
      </Drawer>
    </>
  )
}

const words: Readonly<Record<Verdict, { readonly word: string; readonly color: string }>> = {
  'would act': { word: 'Would act', color: 'red' },
  'would let through': { word: 'Lets through', color: 'teal' },
  same: { word: 'Same', color: 'gray' },
}

const columns: readonly Column<Outcome>[] = [
  {
    key: 'verdict',
    title: 'Shadow',
    width: '112px',
    render: ({ verdict }) => (
      <Badge size="sm" variant="outline" color={words[verdict].color} c="var(--mantine-color-text)" tt="none">
        {words[verdict].word}
      </Badge>
    ),
  },
  {
    key: 'request',
    title: 'Request',
    width: 'minmax(0, 3fr)',
    render: ({ event }) => (
      <div>
        <div className="cut">
          {event.method} {event.path}
        </div>
        <Text size="xs" c="dimmed" className="cut" component="div">
          {new Date(event.datetime).toLocaleString()} · {event.client_ip}
        </Text>
      </div>
    ),
  },
  {
    key: 'did',
    title: 'Was done',
    width: 'minmax(0, 1fr)',
    minWindow: 768,
    render: outcome => didText(outcome),
  },
  {
    key: 'would',
    title: 'Would be done',
    width: 'minmax(0, 1fr)',
    minWindow: 768,
    render: ({ shadow }) => wouldText(shadow.would),
  },
  {
    key: 'score',
    title: 'Score',
    width: '72px',
    align: 'right',
    minWindow: 480,
    render: ({ shadow }) => shadow.score,
  },
]

function didText({ event, verdict, shadow }: Outcome): string {
  if (verdict === 'would act') return 'Nothing'
  return verdict === 'same' && shadow.would === 'none' ? 'Nothing' : actionLabel(event.action)
}

function wouldText(would: string): string {
  return would === 'none' ? 'Nothing' : actionLabel(would)
}

function Details({ outcome }: { readonly outcome: Outcome }) {
  const zoneId = useZoneId()
  const { event, shadow } = outcome
  const { score, threshold, rules = [] } = event.metadata
  return (
    <Stack gap="lg">
      <Table layout="fixed" verticalSpacing={6}>
        <Table.Tbody>
          <Row name="When">{new Date(event.datetime).toLocaleString()}</Row>
          <Row name="Request">
            <span className="mono">
              {event.method} {event.host}
              {event.path}
              {event.query}
            </span>
          </Row>
          <Row name="Client">
            {event.client_ip}, {event.user_agent || 'no user agent'}
          </Row>
          <Row name="Was done">{didText(outcome)}</Row>
          {score === undefined || threshold === undefined ? null : (
            <Row name="Score of the zone’s rules">
              {score}, threshold {thresholdLabel(threshold)}
            </Row>
          )}
          <Row name="The shadow would">{wouldText(shadow.would)}</Row>
          <Row name="Score of the shadow">
            {shadow.score}, threshold {thresholdLabel(shadow.threshold)}
            {shadow.incomplete ? '; its budget of work was used up' : ''}
          </Row>
          {rules.length === 0 ? null : (
            <Row name="Matched rules of the zone">{rules.map(({ ref }) => ref).join(', ')}</Row>
          )}
        </Table.Tbody>
      </Table>
      <TextLink to={`/zones/${zoneId}/events`} search={{ why: outcome.rayId }} size="sm">
        Why it was answered as it was: every phase and rule
      </TextLink>
      <TextLink
        to="/try"
        search={{ url: `${event.scheme}://${event.host}${event.path}${event.query}`, method: event.method }}
        size="sm"
      >
        Try this request (without its headers and body)
      </TextLink>
      <TextLink to={`/zones/${zoneId}/owasp-rules`} size="sm">
        Rules of the ruleset
      </TextLink>
    </Stack>
  )
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} w="38%">
        {name}
      </Table.Th>
      <Table.Td className="wrap">{children}</Table.Td>
    </Table.Tr>
  )
}
