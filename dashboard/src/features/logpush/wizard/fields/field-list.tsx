import { Button, Checkbox, Group as Line, Text, Title } from '@mantine/core'
import type { DatasetField } from '../../../../../../src/model/dataset.ts'
import { isFilled } from '../../field-groups.ts'
import classes from '../wizard.module.css'

interface Shared {
  /** Example values by field name. */
  readonly examples: ReadonlyMap<string, readonly string[]>
  readonly chosen: ReadonlySet<string>
  onPut(names: readonly string[], wanted: boolean): void
}

interface Group {
  readonly title: string
  readonly fields: readonly DatasetField[]
}

/** All available fields. */
export function FieldList({ groups, ...shared }: Shared & { readonly groups: readonly Group[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard focus
    <section className={classes['listed']} tabIndex={0} aria-label="All fields">
      {groups.map(({ title, fields }) => (
        <FieldGroup key={title} title={title} fields={fields} {...shared} />
      ))}
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed" p="md">
          No matching fields.
        </Text>
      ) : null}
    </section>
  )
}

function FieldGroup({ title, fields, examples, chosen, onPut }: Group & Shared) {
  const names = fields.map(({ name }) => name)
  return (
    <div>
      <div className={classes['groupHead']}>
        <Title order={3} size="h4" fz="sm">
          {title}
        </Title>
        <Line gap={4}>
          <GroupButton label="All" title={title} onClick={() => onPut(names, true)} />
          <GroupButton label="None" title={title} onClick={() => onPut(names, false)} />
        </Line>
      </div>
      {fields.map(field => (
        <FieldRow
          key={field.name}
          field={field}
          examples={examples.get(field.name) ?? []}
          checked={chosen.has(field.name)}
          onChange={wanted => onPut([field.name], wanted)}
        />
      ))}
    </div>
  )
}

interface GroupButtonProps {
  readonly label: string
  readonly title: string
  onClick(): void
}

function GroupButton({ label, title, onClick }: GroupButtonProps) {
  return (
    <Button size="compact-xs" variant="subtle" onClick={onClick} aria-label={`${label} of ${title}`}>
      {label}
    </Button>
  )
}

interface RowProps {
  readonly field: DatasetField
  readonly examples: readonly string[]
  readonly checked: boolean
  onChange(wanted: boolean): void
}

function FieldRow({ field, examples, checked, onChange }: RowProps) {
  const { name, type, description } = field
  return (
    <div className={classes['field']}>
      <Checkbox
        size="sm"
        checked={checked}
        onChange={event => onChange(event.currentTarget.checked)}
        label={
          <>
            <span className="mono">{name}</span>{' '}
            <Text span size="xs" c="dimmed">
              {type}
              {isFilled(field) ? '' : ', always empty'}
            </Text>
          </>
        }
        description={description}
      />
      {examples.length === 0 ? null : (
        <Text size="xs" className="cut mono" pl={32} title={examples.join('\n')}>
          {examples.join(' · ')}
        </Text>
      )}
    </div>
  )
}
