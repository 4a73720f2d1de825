import { Badge, Drawer, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { actionLabel, thresholdLabel } from '../../domain/ruleset/owasp/words.ts'
import { useZoneId } from '../../domain/zone/use-zone-id.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { TextLink } from '../../ui/page/links.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import type { Outcome, Verdict } from './outcomes.ts'

interface Props {
  readonly outcomes: readonly Outcome[]
  readonly opened: Outcome | undefined
  onOpen(outcome: Outcome): void
  onClose(): void
}

/** Requests, newest first, each with the shadow's decision. */
export function OutcomeList({ outcomes, opened, onOpen, onClose }: Props) {
  return (
    <>
      <DataTable
        label="Requests evaluated by the shadow"
        columns={columns}
        rows={outcomes}
        rowKey={({ rayId }) => rayId}
        rowHeight={52}
        maxHeight="28rem"
        onOpen={onOpen}
        empty={<EmptyState title="No matching requests" />}
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
  'would act': { word: 'Shadow only', color: 'red' },
  'would let through': { word: 'Zone only', color: 'teal' },
  same: { word: 'Both', color: 'gray' },
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
    title: 'Zone action',
    width: 'minmax(0, 1fr)',
    minWindow: 768,
    render: outcome => didText(outcome),
  },
  {
    key: 'would',
    title: 'Shadow action',
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
  if (verdict === 'would act') return 'None'
  return verdict === 'same' && shadow.would === 'none' ? 'None' : actionLabel(event.action)
}

function wouldText(would: string): string {
  return would === 'none' ? 'None' : actionLabel(would)
}

function Details({ outcome }: { readonly outcome: Outcome }) {
  const zoneId = useZoneId()
  const { event, shadow } = outcome
  const { score, threshold, rules = [] } = event.metadata
  return (
    <Stack gap="lg">
      <Table layout="fixed" verticalSpacing={6}>
        <Table.Tbody>
          <Row name="Time">{new Date(event.datetime).toLocaleString()}</Row>
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
          <Row name="Zone action">{didText(outcome)}</Row>
          {score === undefined || threshold === undefined ? null : (
            <Row name="Zone score">
              {score}, threshold {thresholdLabel(threshold)}
            </Row>
          )}
          <Row name="Shadow action">{wouldText(shadow.would)}</Row>
          <Row name="Shadow score">
            {shadow.score}, threshold {thresholdLabel(shadow.threshold)}
            {shadow.incomplete ? '; work budget exceeded' : ''}
          </Row>
          {rules.length === 0 ? null : (
            <Row name="Rules matched by the zone">{rules.map(({ ref }) => ref).join(', ')}</Row>
          )}
        </Table.Tbody>
      </Table>
      <TextLink to={`/zones/${zoneId}/events`} search={{ why: outcome.rayId }} size="sm">
        Explain the response: every phase and rule
      </TextLink>
      <TextLink
        to="/try"
        search={{ url: `${event.scheme}://${event.host}${event.path}${event.query}`, method: event.method }}
        size="sm"
      >
        Trace this request (without headers and body)
      </TextLink>
      <TextLink to={`/zones/${zoneId}/owasp-rules`} size="sm">
        Browse rules
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
