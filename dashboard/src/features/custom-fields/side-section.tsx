import { ActionIcon, Badge, Button, Checkbox, Group, Select, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { LogRecord } from '../../../../src/model/dataset.ts'
import { useMay } from '../../api/permissions.ts'
import type { Sample } from '../../domain/logs/log-sample.ts'
import { examplesOf } from '../../domain/logs/log-sample.ts'
import { Tooltip } from '../../ui/controls/tooltip.tsx'
import { PlusIcon, TrashIcon } from '../../ui/display/icons.tsx'
import classes from './custom-fields.module.css'
import { type CustomField, faultOf, type Side, type Source } from './fields.ts'

interface Props {
  readonly side: Side
  readonly fields: readonly CustomField[]
  readonly saved: readonly CustomField[]
  readonly sample: Sample
  onChange(fields: readonly CustomField[]): void
}

/** Custom fields of one kind: request headers, response headers or cookies, with recent values. */
export function SideSection({ side, fields, saved, sample, onChange }: Props) {
  const { may, reason } = useMay('zoneLogs write')
  const own = fields.filter(({ source }) => side.sources.some(({ value }) => value === source))
  const isSaved = (field: CustomField) =>
    saved.some(one => one.source === field.source && one.name === field.name)
  const replace = (before: CustomField, after: CustomField | undefined) =>
    onChange(fields.flatMap(field => (field === before ? (after ?? []) : [field])))
  const title = `${side.id}-fields`
  return (
    <section aria-labelledby={title}>
      <Title order={2} id={title}>
        {side.title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {side.about}
      </Text>
      <div className={classes['box']}>
        {own.map(field => (
          <FieldRow
            // A header can be logged in one way, so its name identifies the row.
            key={field.name}
            side={side}
            field={field}
            isNew={!isSaved(field)}
            values={valuesOf(sample.records, side, field.name)}
            barred={may ? undefined : reason}
            onReplace={after => replace(field, after)}
          />
        ))}
        {own.length === 0 ? (
          <Text size="sm" c="dimmed" p="sm">
            None.
          </Text>
        ) : null}
        {may ? (
          <AddForm side={side} fields={fields} onAdd={field => onChange([...fields, field])} />
        ) : (
          <Text size="sm" c="dimmed" p="sm">
            {reason}
          </Text>
        )}
      </div>
    </section>
  )
}

interface RowProps {
  readonly side: Side
  readonly field: CustomField
  readonly isNew: boolean
  readonly values: readonly string[]
  /** Why editing is disabled; undefined when allowed. */
  readonly barred: string | undefined
  onReplace(field: CustomField | undefined): void
}

function FieldRow({ side, field, isNew, values, barred, onReplace }: RowProps) {
  const { name, source, duplicates } = field
  return (
    <div className={classes['row']}>
      <div className={classes['name']}>
        <Group gap="xs">
          <span className="mono wrap">{name}</span>
          {isNew ? (
            <Badge size="sm" variant="light" tt="none" color="brand">
              unsaved
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="dimmed" className="cut mono" title={values.join('\n')}>
          {values.length > 0
            ? values.join(' · ')
            : isNew
              ? 'shows values after saving'
              : 'no value in recent records'}
        </Text>
      </div>
      {side.sources.length < 2 ? null : (
        <Select
          size="xs"
          w={220}
          aria-label={`Source of ${name}`}
          data={side.sources}
          value={source}
          disabled={barred !== undefined}
          onChange={value => value !== null && onReplace({ ...field, source: value as Source })}
          allowDeselect={false}
        />
      )}
      {side.id === 'response' ? (
        <Checkbox
          size="xs"
          label="All values (preserve duplicates)"
          checked={duplicates}
          disabled={barred !== undefined}
          onChange={event => onReplace({ ...field, duplicates: event.currentTarget.checked })}
        />
      ) : null}
      <Tooltip label={barred ?? `Remove ${name}`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="dimmed"
          size="lg"
          className={classes['remove']}
          aria-label={`Remove ${side.one} ${name}`}
          aria-disabled={barred !== undefined}
          onClick={() => barred === undefined && onReplace(undefined)}
        >
          <TrashIcon size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

interface AddProps {
  readonly side: Side
  readonly fields: readonly CustomField[]
  onAdd(field: CustomField): void
}

/** Validates the name while the user types. */
function AddForm({ side, fields, onAdd }: AddProps) {
  const [name, setName] = useState('')
  const [source, setSource] = useState<Source>(side.sources[0]!.value)
  const [tried, setTried] = useState(false)
  const wanted = name.trim()
  const fault = faultOf(wanted, source, fields)
  const shown = wanted === '' && !tried ? undefined : fault
  const lower = wanted.toLowerCase()
  const canLower = side.id !== 'cookie' && lower !== wanted && faultOf(lower, source, fields) === undefined
  const add = (added: string) => {
    onAdd({ source, name: added, duplicates: false })
    setName('')
    setTried(false)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (fault === undefined) add(wanted)
    else setTried(true)
  }
  return (
    <form onSubmit={onSubmit} className={classes['add']}>
      <TextInput
        size="sm"
        aria-label={`Name of a ${side.one}`}
        placeholder={
          side.id === 'cookie' ? 'session_kind' : side.id === 'request' ? 'x-request-id' : 'x-cache'
        }
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setTried(false)
        }}
        error={shown}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <SourceSelect side={side} value={source} onChange={setSource} />
      <Group gap="xs">
        <Button type="submit" variant="default" leftSection={<PlusIcon size={16} />}>
          Add {side.one}
        </Button>
        {canLower ? (
          <Button variant="subtle" onClick={() => add(lower)}>
            Add {lower}
          </Button>
        ) : null}
      </Group>
    </form>
  )
}

interface SourceProps {
  readonly side: Side
  readonly value: Source
  onChange(source: Source): void
}

function SourceSelect({ side, value, onChange }: SourceProps) {
  if (side.sources.length < 2) return null
  return (
    <Select
      size="sm"
      w={240}
      aria-label={`Source of the ${side.one}`}
      data={side.sources}
      value={value}
      onChange={chosen => chosen !== null && onChange(chosen as Source)}
      allowDeselect={false}
    />
  )
}

/** Up to three distinct values, newest first. */
function valuesOf(records: readonly LogRecord[], side: Side, name: string): readonly string[] {
  const logged = records.map(record => (record[side.record] ?? {}) as LogRecord)
  return examplesOf(logged, name)
}
