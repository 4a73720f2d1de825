import { Badge, Group } from '@mantine/core'
import type { RulesetSummary } from '../../api/types.ts'
import { type Column, DataTable } from '../../ui/display/data-table.tsx'
import classes from './version-list.module.css'

interface Props {
  /** Newest first. */
  readonly versions: readonly RulesetSummary[]
  readonly chosen: string
  onChoose(version: string): void
}

export function VersionList({ versions, chosen, onChoose }: Props) {
  const columns: readonly Column<RulesetSummary>[] = [
    {
      key: 'version',
      title: 'Version',
      width: 'minmax(120px, 1fr)',
      render: ({ version }) => (
        <Group gap="xs" wrap="nowrap">
          <span>{version}</span>
          {version === versions[0]!.version ? (
            <Badge size="xs" variant="outline">
              active
            </Badge>
          ) : null}
          {version === chosen ? (
            <Badge size="xs" variant="light">
              selected
            </Badge>
          ) : null}
        </Group>
      ),
    },
    {
      key: 'time',
      title: 'Created',
      width: 'minmax(150px, 1fr)',
      render: ({ last_updated }) => (
        <time dateTime={last_updated}>{new Date(last_updated).toLocaleString()}</time>
      ),
    },
    {
      key: 'description',
      title: 'Ruleset description',
      width: 'minmax(0, 2fr)',
      minWindow: 768,
      render: ({ description }) => description || '—',
    },
  ]
  return (
    <DataTable
      label="Versions"
      columns={columns}
      rows={versions}
      rowKey={({ version }) => version}
      rowHeight={40}
      maxHeight="15.5rem"
      onOpen={({ version }) => onChoose(version)}
      rowClass={({ version }) => (version === chosen ? classes['chosen'] : undefined)}
    />
  )
}
