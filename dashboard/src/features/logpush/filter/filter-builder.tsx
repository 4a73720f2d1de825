import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import type { Dataset } from '../../../../../src/model/dataset.ts'
import { PlusIcon, TrashIcon } from '../../../ui/display/icons.tsx'
import { CriterionRow } from './criterion-row.tsx'
import {
  changed,
  type EditedGroup,
  type EditedNode,
  type FilterFault,
  newCriterion,
  newGroup,
} from './edited.ts'
import classes from './filter.module.css'

interface Props {
  readonly root: EditedGroup
  readonly dataset: Dataset
  readonly fault: FilterFault | undefined
  /** Recent values of a field, as suggestions. */
  readonly examples: (field: string) => readonly string[]
  onChange(root: EditedGroup): void
}

/** Conditions in nested groups. */
export function FilterBuilder({ root, onChange, ...rest }: Props) {
  const change: Change = (id, update) => onChange(changed(root, id, update))
  return <GroupBox group={root} change={change} name="Outermost group" {...rest} />
}

type Change = (id: string, update: (node: EditedNode) => EditedNode | undefined) => void

interface GroupProps extends Omit<Props, 'root' | 'onChange'> {
  readonly group: EditedGroup
  readonly change: Change
  /** Position for screen readers: `Group 2 of group 1`. */
  readonly name: string
  readonly nested?: boolean
}

function GroupBox({ group, change, name, nested = false, ...rest }: GroupProps) {
  const { fault } = rest
  const own = fault?.node === group.id ? fault.message : undefined
  const add = (node: EditedNode) => {
    change(group.id, before => ({ ...(before as EditedGroup), nodes: [...group.nodes, node] }))
    focusSoon(node.id)
  }
  return (
    <fieldset className={nested ? classes['nested'] : classes['group']}>
      <legend className={classes['legend']}>{name}</legend>
      <Group gap="sm" justify="space-between">
        <Join group={group} name={name} change={change} />
        {nested ? <RemoveButton onRemove={() => change(group.id, () => undefined)} /> : null}
      </Group>
      <Stack gap="xs" mt="xs">
        {group.nodes.map((node, index) =>
          node.kind === 'criterion' ? (
            <CriterionRow
              key={node.id}
              criterion={node}
              name={`Condition ${index + 1} of ${name.toLowerCase()}`}
              onChange={next => change(node.id, () => next)}
              onRemove={() => change(node.id, () => undefined)}
              {...rest}
            />
          ) : (
            <GroupBox
              key={node.id}
              group={node}
              change={change}
              name={`Group ${index + 1} of ${name.toLowerCase()}`}
              nested
              {...rest}
            />
          ),
        )}
        {group.nodes.length === 0 ? (
          <Text size="sm" c="dimmed">
            {nested ? 'Empty group: ignored.' : 'No conditions: all records are delivered.'}
          </Text>
        ) : null}
      </Stack>
      {own === undefined ? null : (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
          {own}
        </Text>
      )}
      <Group gap="xs" mt="sm">
        <AddButton label="Condition" onAdd={() => add(newCriterion())} />
        <AddButton
          label="Group"
          onAdd={() => add(newGroup(group.kind === 'and' ? 'or' : 'and', [newCriterion()]))}
        />
      </Group>
    </fieldset>
  )
}

function Join({ group, name, change }: Pick<GroupProps, 'group' | 'name' | 'change'>) {
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label={`${name}: match`}
        data={[
          { value: 'and', label: 'All of (and)' },
          { value: 'or', label: 'Any of (or)' },
        ]}
        value={group.kind}
        onChange={kind =>
          change(group.id, before => ({ ...(before as EditedGroup), kind: kind as 'and' | 'or' }))
        }
      />
    </Group>
  )
}

function RemoveButton({ onRemove }: { onRemove(): void }) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      c="var(--sluice-bad)"
      leftSection={<TrashIcon size={14} />}
      onClick={onRemove}
    >
      Remove group
    </Button>
  )
}

function AddButton({ label, onAdd }: { readonly label: string; onAdd(): void }) {
  return (
    <Button size="xs" variant="default" leftSection={<PlusIcon size={14} />} onClick={onAdd}>
      {label}
    </Button>
  )
}

/** Focuses a new condition. */
function focusSoon(id: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(`[data-node="${id}"] input`)?.focus(), 0)
}
