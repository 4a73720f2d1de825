import { Skeleton, Stack, Text } from '@mantine/core'
import { useRead, useSession } from '../../api/hooks.ts'
import type { Rollout } from '../../api/types.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Section } from '../../ui/page/section.tsx'
import { FailureState } from '../../ui/page/states.tsx'
import { Decisions } from './decisions.tsx'
import { stateText, type Traffic, trafficOf } from './words.ts'

const everyMs = 5000

/** How far changes have come, the figures that are watched, and the decisions of a person. */
export default function RolloutPage() {
  const { accountId } = useSession()
  const rollout = useRead(
    'GET /accounts/{account_id}/rollout',
    { path: { account_id: accountId } },
    { everyMs },
  )
  return (
    <>
      <PageHeader
        title="Roll-out"
        text="Changes go to some edges first, and to the rest if no problems appear there."
      />
      {rollout.isError ? <FailureState title="Failed to load the roll-out" error={rollout.error} /> : null}
      {rollout.isPending ? <Skeleton h={120} /> : null}
      {rollout.data === undefined ? null : <State rollout={rollout.data} />}
    </>
  )
}

const titles: Readonly<Record<Rollout['state'], string>> = {
  off: 'Not staged',
  idle: 'Nothing waits',
  staged: 'Staged',
  halted: 'Withdrawn',
}

function State({ rollout }: { readonly rollout: Rollout }) {
  return (
    <Stack gap="md">
      <Section title={titles[rollout.state]} actions={<Decisions state={rollout.state} />}>
        <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          {stateText(rollout)}
        </Text>
      </Section>
      {rollout.state === 'off' ? null : (
        <>
          <Section title="Watched" text="Requests since the changes began.">
            <DataTable
              label="Requests of the first edges and of the others"
              columns={trafficColumns}
              rows={trafficOf(rollout)}
              rowKey={({ name }) => name}
            />
          </Section>
          <Section title="Edges" text="Every edge that reported in the last minute.">
            <DataTable
              label="Edges"
              columns={edgeColumns}
              rows={rollout.edges}
              rowKey={({ id }) => id}
              empty={<Text size="sm">No edge reports.</Text>}
            />
          </Section>
        </>
      )}
    </Stack>
  )
}

const trafficColumns: readonly Column<Traffic>[] = [
  { key: 'name', title: 'Edges', render: ({ name, edges }) => `${name} (${edges})` },
  {
    key: 'changes',
    title: 'With the changes',
    align: 'right',
    minWindow: 700,
    render: ({ withChanges }) => withChanges,
  },
  { key: 'requests', title: 'Requests', width: '90px', align: 'right', render: ({ requests }) => requests },
  { key: 'mitigated', title: 'Blocked', width: '80px', align: 'right', render: ({ mitigated }) => mitigated },
  { key: 'failed', title: '5xx', width: '70px', align: 'right', render: ({ failed }) => failed },
]

const edgeColumns: readonly Column<Rollout['edges'][number]>[] = [
  { key: 'id', title: 'Edge', render: ({ id, first }) => (first ? `${id}, first` : id) },
  {
    key: 'changes',
    title: 'Changes',
    width: '90px',
    render: ({ has_changes }) => (has_changes ? 'new' : 'before'),
  },
  { key: 'requests', title: 'Requests', width: '90px', align: 'right', render: ({ requests }) => requests },
]
