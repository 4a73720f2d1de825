import { Button, Group as Line, Radio, Stack } from '@mantine/core'
import { useRef } from 'react'
import { PlusIcon } from '../ui/icons.tsx'
import type { Builder, Group, Row } from './builder.ts'
import { BuilderRow } from './builder-row.tsx'
import classes from './expression-field.module.css'
import type { Language } from './types.ts'

interface Props {
  readonly builder: Builder
  readonly language: Language
  readonly offersAll: boolean
  /** Also what is not filled in yet is marked: somebody tried to save it. */
  readonly insists: boolean
  readonly onChange: (builder: Builder) => void
}

const newRow: Row = { field: 'http.request.uri.path', key: '', operator: 'eq', values: [] }

/** Rows of field, operator and value. All controls are native ones: every step can be made with the keyboard. */
export function BuilderView({ builder, language, offersAll, insists, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const groups = builder.kind === 'all' ? [] : builder.groups
  const setGroups = (next: readonly Group[]) => onChange({ kind: 'groups', groups: next })
  const setGroup = (index: number, group: Group) => {
    const next = group.length === 0 ? groups.filter((_, i) => i !== index) : groups.with(index, group)
    setGroups(next.length === 0 ? [[newRow]] : next)
  }
  /** After the next drawing, when the row is there. */
  const focusRow = (group: number, row: number) =>
    requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>(`[data-place="${Math.max(group, 0)}-${Math.max(row, 0)}"] input`)
        ?.focus(),
    )
  return (
    <Stack gap="sm" ref={box} className={classes['builder']}>
      {offersAll ? (
        <Radio.Group
          aria-label="Which requests"
          value={builder.kind === 'all' ? 'all' : 'some'}
          onChange={value =>
            onChange(value === 'all' ? { kind: 'all' } : { kind: 'groups', groups: [[newRow]] })
          }
        >
          <Line gap="lg">
            <Radio value="all" label="All incoming requests" />
            <Radio value="some" label="Custom filter expression" />
          </Line>
        </Radio.Group>
      ) : null}
      {groups.map((group, g) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity but their place, and hold no state
        <Stack key={g} gap="sm">
          {g === 0 ? null : <span className={classes['word']}>or</span>}
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own border and legend */}
          <div className={classes['group']} role="group" aria-label={`Group ${g + 1}`}>
            {group.map((row, r) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <Stack key={r} gap={6} data-place={`${g}-${r}`}>
                {r === 0 ? null : <span className={classes['word']}>and</span>}
                <BuilderRow
                  row={row}
                  name={groups.length === 1 ? `condition ${r + 1}` : `condition ${r + 1} of group ${g + 1}`}
                  language={language}
                  insists={insists}
                  removable={groups.length > 1 || group.length > 1}
                  onChange={next => setGroup(g, group.with(r, next))}
                  onRemove={() => {
                    setGroup(g, group.toSpliced(r, 1))
                    if (group.length === 1) focusRow(g - 1, 0)
                    else focusRow(g, r - 1)
                  }}
                />
              </Stack>
            ))}
            <Line gap="xs">
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<PlusIcon size={14} />}
                onClick={() => {
                  setGroup(g, [...group, newRow])
                  focusRow(g, group.length)
                }}
              >
                And
              </Button>
              {g < groups.length - 1 ? null : (
                <Button
                  variant="default"
                  size="compact-sm"
                  leftSection={<PlusIcon size={14} />}
                  onClick={() => {
                    setGroups([...groups, [newRow]])
                    focusRow(groups.length, 0)
                  }}
                >
                  Or
                </Button>
              )}
            </Line>
          </div>
        </Stack>
      ))}
    </Stack>
  )
}
