import { Checkbox, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { PermissionGroup } from '../../api/types.ts'
import { SearchIcon } from '../../ui/display/icons.tsx'
import type { TokenDraft } from './draft.ts'
import classes from './permission-picker.module.css'
import {
  everythingGroup,
  type GroupScope,
  type Level,
  type PermissionRow,
  scopeTitles,
} from './permission-rows.ts'

interface Props {
  readonly rows: readonly PermissionRow[]
  readonly groups: readonly PermissionGroup[]
  readonly draft: TokenDraft
  onChange(change: Partial<TokenDraft>): void
}

const scopes: readonly GroupScope[] = ['zone', 'account', 'user']

/** Permissions by area: none, read, or write. */
export function PermissionPicker({ rows, groups, draft, onChange }: Props) {
  const [search, setSearch] = useState('')
  const everything = everythingGroup(groups)
  const wanted = search.trim().toLowerCase()
  const found = rows.filter(row => row.name.toLowerCase().includes(wanted))
  return (
    <Stack gap="md">
      {everything === undefined ? null : (
        <Checkbox
          label={everything.name}
          description={
            everything.is_selectable
              ? 'All permissions, including those of later versions. Few clients need this.'
              : 'Your token lacks this permission, so it cannot grant it.'
          }
          disabled={!everything.is_selectable}
          checked={draft.everything}
          onChange={event => onChange({ everything: event.currentTarget.checked })}
        />
      )}
      {draft.everything ? null : (
        <>
          <TextInput
            aria-label="Search permissions"
            placeholder="Search permissions"
            leftSection={<SearchIcon size={16} />}
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
            maw={360}
          />
          {found.length === 0 ? <Text size="sm">No matching permissions.</Text> : null}
          {scopes.map(scope => {
            const own = found.filter(row => row.scope === scope)
            if (own.length === 0) return null
            return (
              <section key={scope} aria-label={`Permissions: ${scopeTitles[scope]}`}>
                <Title order={3} mb={4}>
                  {scopeTitles[scope]}
                </Title>
                {own.map(row => (
                  <Row
                    key={row.key}
                    row={row}
                    level={draft.levels[row.key] ?? 'none'}
                    onChange={level => onChange({ levels: { ...draft.levels, [row.key]: level } })}
                  />
                ))}
              </section>
            )
          })}
        </>
      )}
    </Stack>
  )
}

interface RowProps {
  readonly row: PermissionRow
  readonly level: Level
  onChange(level: Level): void
}

function Row({ row, level, onChange }: RowProps) {
  const { read, write } = row
  const lacking = [read, write].filter(group => group?.is_selectable === false).map(group => group!.name)
  const choices: readonly { value: Level; label: string; group: PermissionGroup | undefined }[] = [
    { value: 'read', label: 'Read', group: read },
    { value: 'write', label: 'Write', group: write },
  ]
  return (
    <div className={classes['row']}>
      <div>
        <Text size="sm">{row.name}</Text>
        {lacking.length === 0 ? null : (
          <Text size="xs" c="dimmed">
            Your token lacks “{lacking.join('” and “')}”, so it cannot grant it.
          </Text>
        )}
      </div>
      <SegmentedControl
        size="xs"
        aria-label={`${row.name}, ${scopeTitles[row.scope].toLowerCase()}`}
        value={level}
        onChange={value => onChange(value as Level)}
        data={[
          { value: 'none', label: 'None' },
          ...choices.flatMap(({ value, label, group }) =>
            group === undefined ? [] : [{ value, label, disabled: !group.is_selectable }],
          ),
        ]}
      />
    </div>
  )
}
