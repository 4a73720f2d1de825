import { Button, Group as Line, Radio, Stack } from '@mantine/core'
import { type RefObject, useRef } from 'react'
import { PlusIcon } from '../../../ui/display/icons.tsx'
import classes from '../expression-field.module.css'
import type { Language } from '../types.ts'
import type { Builder, Group, Row } from './builder.ts'
import { BuilderRow } from './builder-row.tsx'

interface Props {
  readonly builder: Builder
  readonly language: Language
  readonly offersAll: boolean
  /** The user tried to save: empty values are faults too. */
  readonly insists: boolean
  readonly onChange: (builder: Builder) => void
}

const newRow: Row = { field: 'http.request.uri.path', key: '', operator: 'eq', values: [] }

/** Rows of field, operator and value. All controls are native, so every step works with the keyboard. */
export function BuilderView({ builder, language, offersAll, insists, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const groups = builder.kind === 'all' ? [] : builder.groups
  const setGroups = (next: readonly Group[]) => onChange({ kind: 'groups', groups: next })
  const setGroup = (index: number, group: Group) => {
    const next = group.length === 0 ? groups.filter((_, i) => i !== index) : groups.with(index, group)
    setGroups(next.length === 0 ? [[newRow]] : next)
  }
  const focusRow = (group: number, row: number) => focusRowIn(box, group, row)
  return (
    <Stack gap="sm" ref={box} className={classes['builder']}>
      {offersAll ? <AllOrSome builder={builder} onChange={onChange} /> : null}
      {groups.map((group, g) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity but their index, and hold no state
        <Stack key={g} gap="sm">
          {g === 0 ? null : <span className={classes['word']}>or</span>}
          <GroupBox
            group={group}
            number={g + 1}
            isOnly={groups.length === 1}
            isLast={g === groups.length - 1}
            language={language}
            insists={insists}
            focusRow={r => focusRow(g, r)}
            onChange={next => setGroup(g, next)}
            onRemoved={r => (group.length === 1 ? focusRow(g - 1, 0) : focusRow(g, r - 1))}
            onOr={() => {
              setGroups([...groups, [newRow]])
              focusRow(groups.length, 0)
            }}
          />
        </Stack>
      ))}
    </Stack>
  )
}

interface GroupProps extends Pick<Props, 'language' | 'insists'> {
  readonly group: Group
  /** Counted from 1. */
  readonly number: number
  readonly isOnly: boolean
  readonly isLast: boolean
  readonly focusRow: (row: number) => void
  /** Removes an empty group. */
  readonly onChange: (group: Group) => void
  readonly onRemoved: (row: number) => void
  /** Adds a group after this one. */
  readonly onOr: () => void
}

/** Conditions joined by “and”. */
function GroupBox(props: GroupProps) {
  const { group, number, isOnly, isLast, language, insists, focusRow, onChange, onRemoved, onOr } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own border and legend
    <div className={classes['group']} role="group" aria-label={`Group ${number}`}>
      {group.map((row, r) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index, and hold no state
        <Stack key={r} gap={6} data-row={`${number - 1}-${r}`}>
          {r === 0 ? null : <span className={classes['word']}>and</span>}
          <BuilderRow
            row={row}
            name={isOnly ? `condition ${r + 1}` : `condition ${r + 1} of group ${number}`}
            language={language}
            insists={insists}
            removable={!isOnly || group.length > 1}
            onChange={next => onChange(group.with(r, next))}
            onRemove={() => {
              onChange(group.toSpliced(r, 1))
              onRemoved(r)
            }}
          />
        </Stack>
      ))}
      <Line gap="xs">
        <AddButton
          label="And"
          onAdd={() => {
            onChange([...group, newRow])
            focusRow(group.length)
          }}
        />
        {isLast ? <AddButton label="Or" onAdd={onOr} /> : null}
      </Line>
    </div>
  )
}

/** Waits for the next frame, because the row may be new. */
function focusRowIn(box: RefObject<HTMLElement | null>, group: number, row: number): void {
  const key = `${Math.max(group, 0)}-${Math.max(row, 0)}`
  requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${key}"] input`)?.focus())
}

function AllOrSome({ builder, onChange }: Pick<Props, 'builder' | 'onChange'>) {
  return (
    <Radio.Group
      aria-label="Matching requests"
      value={builder.kind === 'all' ? 'all' : 'some'}
      onChange={value => onChange(value === 'all' ? { kind: 'all' } : { kind: 'groups', groups: [[newRow]] })}
    >
      <Line gap="lg">
        <Radio value="all" label="All incoming requests" />
        <Radio value="some" label="Custom filter expression" />
      </Line>
    </Radio.Group>
  )
}

function AddButton({ label, onAdd }: { readonly label: string; readonly onAdd: () => void }) {
  return (
    <Button variant="default" size="compact-sm" leftSection={<PlusIcon size={14} />} onClick={onAdd}>
      {label}
    </Button>
  )
}
