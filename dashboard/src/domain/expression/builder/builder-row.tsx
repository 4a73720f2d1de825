import { ActionIcon, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { Tooltip } from '../../../ui/controls/tooltip.tsx'
import { TrashIcon } from '../../../ui/display/icons.tsx'
import classes from '../expression-field.module.css'
import type { FieldInfo, Language } from '../types.ts'
import { type Operator, type Row, valuesOf } from './builder.ts'
import { commonFields, fieldLabel, kindOf, operatorLabel, operatorsOf } from './builder-fields.ts'
import { printRow } from './print-builder.ts'
import { ValueInput } from './value-input.tsx'

interface Props {
  readonly row: Row
  /** Such as “condition 2 of group 1”; part of the controls' names. */
  readonly name: string
  readonly language: Language
  readonly insists: boolean
  /** The last row cannot be removed. */
  readonly removable: boolean
  readonly onChange: (row: Row) => void
  readonly onRemove: () => void
}

export function BuilderRow({ row, name, language, insists, removable, onChange, onRemove }: Props) {
  const field = language.fields.get(row.field)
  const kind = (field && kindOf(field)) ?? 'text'
  const fault = faultOf(row, language, insists)
  const ofKey = kind === 'map' && row.key.trim() === '' && insists ? 'Enter a name' : undefined
  return (
    <div className={classes['row']} data-key={kind === 'map' || undefined}>
      <FieldSelect row={row} name={name} fields={language.fields} onChange={onChange} />
      {kind === 'map' ? (
        <TextInput
          aria-label={`Name, ${name}`}
          placeholder={keyPlaceholder(row.field)}
          value={row.key}
          error={ofKey}
          onChange={event => onChange({ ...row, key: keyOf(row.field, event.currentTarget.value) })}
        />
      ) : null}
      <OperatorSelect row={row} name={name} field={field} onChange={onChange} />
      {field === undefined || valuesOf(row.operator) === 'none' ? (
        <span />
      ) : (
        <ValueInput
          row={row}
          field={field}
          label={`Value, ${name}`}
          lists={language.lists}
          error={fault}
          onChange={values => onChange({ ...row, values })}
        />
      )}
      {removable ? <RemoveButton name={name} onRemove={onRemove} /> : null}
    </div>
  )
}

interface FieldSelectProps extends Pick<Props, 'row' | 'name' | 'onChange'> {
  readonly fields: Language['fields']
}

function FieldSelect({ row, name, fields, onChange }: FieldSelectProps) {
  const choices = useMemo(() => fieldChoices(fields), [fields])
  return (
    <Select
      aria-label={`Field, ${name}`}
      data={choices}
      value={row.field}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No matching fields"
      maxDropdownHeight={320}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      // Typing searches; it replaces the selected name.
      onFocus={event => event.currentTarget.select()}
      onChange={next => {
        const info = next === null ? undefined : fields.get(next)
        if (info !== undefined) onChange(withField(row, info))
      }}
    />
  )
}

interface OperatorSelectProps extends Pick<Props, 'row' | 'name' | 'onChange'> {
  readonly field: FieldInfo | undefined
}

function OperatorSelect({ row, name, field, onChange }: OperatorSelectProps) {
  const kind = (field && kindOf(field)) ?? 'text'
  return (
    <Select
      aria-label={`Operator, ${name}`}
      data={(field === undefined ? [] : operatorsOf(field)).map(value => ({
        value,
        label: operatorLabel(value, kind),
      }))}
      value={row.operator}
      allowDeselect={false}
      maxDropdownHeight={360}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={next => {
        if (next !== null) onChange(withOperator(row, next as Operator))
      }}
    />
  )
}

function RemoveButton({ name, onRemove }: Pick<Props, 'name' | 'onRemove'>) {
  return (
    <Tooltip label={`Remove ${name}`}>
      <ActionIcon
        className={classes['remove'] ?? ''}
        variant="subtle"
        color="gray"
        c="dimmed"
        size={36}
        aria-label={`Remove ${name}`}
        onClick={onRemove}
      >
        <TrashIcon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** The engine's fault for this row alone. Empty values are a fault only after the user tries to save. */
function faultOf(row: Row, language: Language, insists: boolean): string | undefined {
  const isEmpty = valuesOf(row.operator) !== 'none' && row.values.every(value => value.trim() === '')
  if (isEmpty) return insists && !takesEmpty(row, language) ? 'Enter a value' : undefined
  return language.check(printRow(row, language.fields))?.message
}

function takesEmpty(row: Row, language: Language): boolean {
  return valuesOf(row.operator) === 'one' && language.check(printRow(row, language.fields)) === undefined
}

/** Keeps the operator and values that are valid for the new field. */
function withField(row: Row, field: FieldInfo): Row {
  const operators = operatorsOf(field)
  const isKept = operators.includes(row.operator)
  const operator = isKept ? row.operator : operators[0]!
  return {
    field: field.name,
    key: kindOf(field) === 'map' ? row.key : '',
    operator,
    values: isKept ? row.values : [],
  }
}

function withOperator(row: Row, operator: Operator): Row {
  const [before, after] = [valuesOf(row.operator), valuesOf(operator)]
  const isList = (name: Operator) => name.endsWith('in list')
  if (after === 'none' || isList(operator) !== isList(row.operator)) return { ...row, operator, values: [] }
  const filled = row.values.filter(value => value !== '')
  return { ...row, operator, values: before === 'many' && after === 'one' ? filled.slice(0, 1) : filled }
}

/** The rules language has header names in lower case. */
function keyOf(field: string, typed: string): string {
  return field.endsWith('.headers') ? typed.toLowerCase() : typed
}

function keyPlaceholder(field: string): string {
  return field.endsWith('.headers') ? 'x-header' : 'name'
}

/** Common fields first, then all other fields of the engine by family. */
function fieldChoices(fields: ReadonlyMap<string, FieldInfo>) {
  const shown = [...fields.values()].filter(field => kindOf(field) !== undefined)
  const common = [...commonFields.keys()].filter(name => shown.some(field => field.name === name))
  const families = [...new Set(shown.map(({ family }) => family))]
  return [
    { group: 'Common', items: common.map(name => ({ value: name, label: fieldLabel(name) })) },
    ...families.map(family => ({
      group: family,
      items: shown
        .filter(field => field.family === family && !commonFields.has(field.name))
        .map(({ name }) => ({ value: name, label: name })),
    })),
  ].filter(({ items }) => items.length > 0)
}
