import { ActionIcon, Badge, Button, Checkbox, Group, Select, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { LogRecord } from '../../../../src/model/dataset.ts'
import type { Sample } from '../../api/log-sample.ts'
import { examplesOf } from '../../api/log-sample.ts'
import { useMay } from '../../api/permissions.ts'
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import classes from './custom-fields.module.css'
import { type CustomField, faultOf, type Side, type Source } from './fields.ts'

interface Props {
  readonly side: Side
  readonly fields: readonly CustomField[]
  readonly saved: readonly CustomField[]
  readonly sample: Sample
  onChange(fields: readonly CustomField[]): void
}

/** The request headers, the response headers or the cookies of a zone, with their last values. */
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
            // A header is logged one way only; the row stays itself when that way changes.
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
            None yet.
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
  /** Why nothing can be changed; undefined when it can. */
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
            <Badge size="sm" variant="light" tt="none" color="gate">
              not saved
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="dimmed" className="cut mono" title={values.join('\n')}>
          {values.length > 0
            ? values.join(' · ')
            : isNew
              ? 'values come once it is saved'
              : 'no value in the last records'}
        </Text>
      </div>
      {side.sources.length < 2 ? null : (
        <Select
          size="xs"
          w={220}
          aria-label={`Which value of ${name}`}
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

/** Says at once what is wrong with a name that is being written. */
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
      {side.sources.length < 2 ? null : (
        <Select
          size="sm"
          w={240}
          aria-label={`Which value of the ${side.one}`}
          data={side.sources}
          value={source}
          onChange={value => value !== null && setSource(value as Source)}
          allowDeselect={false}
        />
      )}
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

/** Up to three different values, the newest first. */
function valuesOf(records: readonly LogRecord[], side: Side, name: string): readonly string[] {
  const logged = records.map(record => (record[side.record] ?? {}) as LogRecord)
  return examplesOf(logged, name)
}
